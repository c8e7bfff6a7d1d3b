// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/cpu_scheduler.hpp"

#include <algorithm>

#include "base/float_environment.hpp"

namespace isovmaf {

CpuScheduler::CpuScheduler(std::vector<const Extractor *> extractors, std::vector<std::size_t> word_counts, int threads,
                           int frames_in_flight, std::vector<const MapFiles *> maps, std::shared_ptr<WorkTimes> times)
    : Scheduler(std::move(word_counts),
                static_cast<std::size_t>(frames_in_flight > 0 ? frames_in_flight : threads + 2)),
      extractors_(std::move(extractors)), maps_(std::move(maps)), threads_(threads), times_(std::move(times)) {
    maps_.resize(extractors_.size());
    for (int i = 0; i < threads; i++)
        free_.push_back(std::make_unique<Scratch>());
    try {
        for (int i = 0; i < threads; i++)
            workers_.emplace_back([this] { work(); });
    } catch (...) { // the system has no more threads: those that were started would wait for ever
        end_threads();
        throw;
    }
}

CpuScheduler::~CpuScheduler() { end_threads(); }

/// Joins the threads before the frames that they read are destroyed.
void CpuScheduler::end_threads() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    task_ready_.notify_all();
    workers_.clear();
}

void CpuScheduler::start(FrameInFlight &frame) {
    std::unique_lock lock(mutex_);
    Progress &progress = progress_[&frame];
    const bool idle = tasks_.empty() && !free_.empty();
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
    const std::size_t woken = std::min(progress.tasks_left, static_cast<std::size_t>(sleeping_));
    lock.unlock(); // threads that are woken need it
    for (std::size_t i = 0; i < woken; i++)
        task_ready_.notify_one();
}

bool CpuScheduler::finished(FrameInFlight &oldest, Wait wait) {
    std::unique_lock lock(mutex_);
    const auto progress = progress_.find(&oldest);
    if (wait == Wait::yes)
        wait_for(oldest, progress->second, lock);
    else if (progress->second.tasks_left > 0)
        return false;
    if (progress->second.failure)
        std::rethrow_exception(progress->second.failure);
    progress_.erase(progress);
    return true;
}

/// Runs tasks of any frame meanwhile, where a thread has not taken them yet.
void CpuScheduler::wait_for(const FrameInFlight &frame, const Progress &progress, std::unique_lock<std::mutex> &lock) {
    awaited_ = &frame;
    while (progress.tasks_left > 0)
        if (may_run())
            run_next(lock);
        else
            frame_done_.wait(lock);
    awaited_ = nullptr;
    if (may_run()) // this thread takes no further task
        task_ready_.notify_one();
}

void CpuScheduler::work() {
    std::unique_lock lock(mutex_);
    while (!stopping_)
        if (may_run()) {
            run_next(lock);
        } else {
            sleeping_++;
            task_ready_.wait(lock);
            sleeping_--;
        }
}

/// Takes the first task and runs it without the lock.
void CpuScheduler::run_next(std::unique_lock<std::mutex> &lock) {
    const Task task = tasks_.front();
    tasks_.pop_front();
    std::unique_ptr<Scratch> scratch = std::move(free_.back());
    free_.pop_back();
    lock.unlock();
    std::exception_ptr failure;
    try {
        const FloatEnvironment floats;
        const SharedStageClock clock(times_->cpu);
        extract(task, *scratch);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    Progress &progress = progress_.at(task.frame);
    if (failure)
        progress.failure = failure;
    else if (task.band.count > 1)
        add_words(scratch->share, task.frame->words[task.extractor]);
    free_.push_back(std::move(scratch));
    if (--progress.tasks_left == 0 && task.frame == awaited_)
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
