// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/cpu_scheduler.hpp"

#include <algorithm>

#include "base/float_environment.hpp"

namespace isovmaf {

CpuScheduler::CpuScheduler(std::vector<const Extractor *> extractors, std::vector<std::size_t> word_counts, int threads,
                           int frames_in_flight, std::vector<const MapFiles *> maps)
    : Scheduler(std::move(word_counts),
                static_cast<std::size_t>(frames_in_flight > 0 ? frames_in_flight : threads + 2)),
      extractors_(std::move(extractors)), maps_(std::move(maps)), threads_(threads) {
    maps_.resize(extractors_.size());
    for (int i = 0; i < threads; i++)
        workers_.emplace_back([this](const std::stop_token &stop) { work(stop); });
}

CpuScheduler::~CpuScheduler() {
    for (std::jthread &worker : workers_)
        worker.request_stop();
    workers_.clear(); // joins the threads before the frames that they read are destroyed
}

void CpuScheduler::start(FrameInFlight &frame) {
    const std::lock_guard lock(mutex_);
    Progress &progress = progress_[&frame];
    const bool idle = tasks_.empty() && busy_ < threads_;
    for (std::size_t e = 0; e < extractors_.size(); e++) {
        if (!frame.wanted[e])
            continue;
        const int bands = idle && !maps_[e] ? std::min(threads_, extractors_[e]->most_bands()) : 1;
        if (bands > 1)
            std::ranges::fill(frame.words[e], 0); // bands add their shares
        for (int i = 0; i < bands; i++)
            tasks_.push_back({&frame, e, {i, bands}});
        progress.tasks_left += static_cast<std::size_t>(bands);
    }
    task_ready_.notify_all();
}

bool CpuScheduler::finished(FrameInFlight &oldest, Wait wait) {
    std::unique_lock lock(mutex_);
    const auto progress = progress_.find(&oldest);
    const auto done = [&] { return progress->second.tasks_left == 0; };
    if (wait == Wait::yes)
        frame_done_.wait(lock, done);
    else if (!done())
        return false;
    if (progress->second.failure)
        std::rethrow_exception(progress->second.failure);
    progress_.erase(progress);
    return true;
}

void CpuScheduler::work(const std::stop_token &stop) {
    const FloatEnvironment floats;
    Scratch scratch;
    for (;;) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            if (!task_ready_.wait(lock, stop, [&] { return !tasks_.empty(); }) || stop.stop_requested())
                return;
            task = tasks_.front();
            tasks_.pop_front();
            busy_++;
        }
        run(task, scratch);
    }
}

void CpuScheduler::run(const Task &task, Scratch &scratch) {
    FrameInFlight &frame = *task.frame;
    std::exception_ptr failure;
    try {
        extract(task, scratch);
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    busy_--;
    Progress &progress = progress_.at(&frame);
    if (failure)
        progress.failure = failure;
    else if (task.band.count > 1)
        add_words(scratch.share, frame.words[task.extractor]);
    if (--progress.tasks_left == 0)
        frame_done_.notify_one();
}

/// Words of a whole frame go into the frame, those of a band into `scratch.share`.
void CpuScheduler::extract(const Task &task, Scratch &scratch) {
    const PictureWindow inputs = task.frame->window.pictures();
    const Extractor &extractor = *extractors_[task.extractor];
    std::vector<std::int64_t> &words = task.frame->words[task.extractor];
    scratch.workspace.reset();
    if (const MapFiles *maps = maps_[task.extractor])
        return maps->extract(extractor, inputs, task.frame->number, scratch.workspace, words);
    if (task.band.count == 1)
        return extractor.extract(inputs, scratch.workspace, words);
    scratch.share.resize(words.size());
    extractor.extract_band(inputs, task.band, scratch.workspace, scratch.share, Taps{nullptr});
}

} // namespace isovmaf
