// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/schedule/cpu_scheduler.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/failure.hpp"
#include "base/float_environment.hpp"

namespace isovmaf {

CpuWorkers::CpuWorkers(int threads, std::shared_ptr<WorkTimes> times, std::unique_ptr<FrameFetcher> fetcher)
    : threads_(threads), times_(std::move(times)), fetcher_(std::move(fetcher)) {
    for (int i = 0; i < threads; i++)
        free_.push_back(std::make_unique<Scratch>());
    try {
        for (int i = 0; i < threads; i++)
            workers_.emplace_back([this] { work(); });
    } catch (...) { // the system has no more threads: those that were started would wait for ever
        stop();
        throw;
    }
}

void CpuWorkers::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    task_ready_.notify_all();
    workers_.clear();
}

void CpuWorkers::start(FrameInFlight &frame, std::span<const CpuStep> steps) {
    if (steps.empty())
        return;
    std::unique_lock lock(mutex_);
    Progress &progress = progress_[&frame];
    const bool idle = tasks_.empty() && !free_.empty();
    for (const CpuStep &step : steps) {
        const CpuFeature &feature = *step.feature;
        const bool may_be_cut = idle && step.kind != CpuStep::Kind::complete && !feature.maps;
        const int bands = may_be_cut ? std::min(threads_, feature.code->most_bands()) : 1;
        if (bands > 1) {
            std::ranges::fill(frame.words[step.row], 0); // bands add their shares
            progress.bands_left[step.row] = bands;
        }
        for (int i = 0; i < bands; i++)
            tasks_.push_back({&frame, step, {i, bands}});
        progress.tasks_left += static_cast<std::size_t>(bands);
    }
    const std::size_t woken = std::min(progress.tasks_left, static_cast<std::size_t>(sleeping_));
    lock.unlock(); // threads that are woken need it
    for (std::size_t i = 0; i < woken; i++)
        task_ready_.notify_one();
}

bool CpuWorkers::finished(const FrameInFlight &frame, Scheduler::Wait wait) {
    std::unique_lock lock(mutex_);
    const auto progress = progress_.find(&frame);
    if (progress == progress_.end())
        return true;
    if (wait == Scheduler::Wait::yes)
        wait_for(frame, progress->second, lock);
    else if (progress->second.tasks_left > 0)
        return false;
    if (progress->second.failure)
        std::rethrow_exception(progress->second.failure);
    progress_.erase(progress);
    return true;
}

std::int64_t CpuWorkers::fetched() const {
    const std::lock_guard lock(fetcher_mutex_);
    return fetcher_ ? fetcher_->count() : 0;
}

/// Runs tasks of any frame meanwhile, where a thread has not taken them yet.
void CpuWorkers::wait_for(const FrameInFlight &frame, const Progress &progress, std::unique_lock<std::mutex> &lock) {
    const SharedStageClock clock(times_->cpu_waits);
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

void CpuWorkers::work() {
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
void CpuWorkers::run_next(std::unique_lock<std::mutex> &lock) {
    const Task task = tasks_.front();
    tasks_.pop_front();
    std::unique_ptr<Scratch> scratch = std::move(free_.back());
    free_.pop_back();
    lock.unlock();
    std::exception_ptr failure;
    try {
        const FloatEnvironment floats;
        const SharedStageClock clock(times_->cpu);
        std::optional<SharedStageClock> feature_clock;
        if (task.step.feature->seconds)
            feature_clock.emplace(*task.step.feature->seconds);
        run(task, *scratch);
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    Progress &progress = progress_.at(task.frame);
    if (failure)
        progress.failure = failure;
    free_.push_back(std::move(scratch));
    if (--progress.tasks_left == 0 && task.frame == awaited_)
        frame_done_.notify_one();
}

/// The thread that ends the last band of a row completes it.
void CpuWorkers::run(const Task &task, Scratch &scratch) {
    if (task.step.kind == CpuStep::Kind::extract)
        extract(task, task.frame->window, scratch);
    if (task.step.kind == CpuStep::Kind::redo)
        extract(task, on_host(task.frame->window, *task.step.feature->plan), scratch);
    if (task.band.count > 1 && !add_band(task, scratch))
        return;
    const FeaturePlan *const plan = task.step.feature->plan;
    if (!plan)
        return;
    std::vector<std::int64_t> &words = task.frame->words[task.step.row];
    if (plan->is_flagged(words))
        throw Failure({ErrorCode::internal,
                       "the code of a feature on the CPU flagged a frame, as if it could not do it: only kernels may"});
    words = kept_words(*plan, std::move(words));
}

/// Words of a whole frame go into the frame, those of a band into `scratch.share`.
void CpuWorkers::extract(const Task &task, const FrameWindow &window, Scratch &scratch) {
    const CpuFeature &feature = *task.step.feature;
    const PictureWindow inputs = window.pictures();
    std::vector<std::int64_t> &words = task.frame->words[task.step.row];
    scratch.workspace.reset();
    if (feature.maps)
        return feature.maps->extract(*feature.code, inputs, task.frame->number, scratch.workspace, words);
    if (task.band.count == 1)
        return feature.code->extract(inputs, scratch.workspace, words);
    scratch.share.resize(words.size());
    feature.code->extract_band(inputs, task.band, scratch.workspace, scratch.share, Taps{nullptr});
}

/// Adds the words of a band to those of the frame. True: they are complete.
bool CpuWorkers::add_band(const Task &task, const Scratch &scratch) {
    const std::lock_guard lock(mutex_);
    add_words(scratch.share, task.frame->words[task.step.row]);
    return --progress_.at(task.frame).bands_left.at(task.step.row) == 0;
}

/// The window with what a feature reads of it in host memory. One thread fetches at a time, so that a frame which
/// several windows have is fetched once.
FrameWindow CpuWorkers::on_host(FrameWindow window, const FeaturePlan &plan) {
    const std::lock_guard lock(fetcher_mutex_);
    if (!fetcher_)
        return window;
    const auto fetch = [&](Frame &frame) { frame = fetcher_->fetch(frame, plan.plane_count(frame.format())); };
    fetch(window.pair.reference);
    fetch(window.pair.distorted);
    for (int back = 0; back < plan.earlier.reference; back++)
        fetch(window.earlier_reference[static_cast<std::size_t>(back)]);
    for (int back = 0; back < plan.earlier.distorted; back++)
        fetch(window.earlier_distorted[static_cast<std::size_t>(back)]);
    return window;
}

CpuScheduler::CpuScheduler(std::vector<CpuFeature> features, std::vector<std::size_t> word_counts,
                           std::shared_ptr<CpuWorkers> workers, int frames_in_flight)
    : Scheduler(std::move(word_counts),
                static_cast<std::size_t>(cpu_frames_in_flight(frames_in_flight, workers->threads()))),
      features_(std::move(features)), workers_(std::move(workers)) {}

void CpuScheduler::start(FrameInFlight &frame) {
    steps_.clear();
    for (std::size_t e = 0; e < features_.size(); e++)
        if (frame.wanted[e])
            steps_.push_back({&features_[e], e, CpuStep::Kind::extract});
    workers_->start(frame, steps_);
}

} // namespace isovmaf
