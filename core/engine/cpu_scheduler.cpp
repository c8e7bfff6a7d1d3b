// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/cpu_scheduler.hpp"

namespace isovmaf {

CpuScheduler::CpuScheduler(std::vector<const Extractor *> extractors, std::vector<std::size_t> word_counts, int threads)
    : Scheduler(std::move(word_counts), static_cast<std::size_t>(threads) + 2), extractors_(std::move(extractors)) {
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
    for (std::size_t e = 0; e < extractors_.size(); e++)
        if (frame.wanted[e]) {
            progress.tasks_left++;
            tasks_.push_back({&frame, e});
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
    Workspace workspace;
    for (;;) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            if (!task_ready_.wait(lock, stop, [&] { return !tasks_.empty(); }) || stop.stop_requested())
                return;
            task = tasks_.front();
            tasks_.pop_front();
        }
        run(task, workspace);
    }
}

void CpuScheduler::run(const Task &task, Workspace &workspace) {
    FrameInFlight &frame = *task.frame;
    std::exception_ptr failure;
    try {
        workspace.reset();
        extractors_[task.extractor]->extract(frame.frames.inputs(), workspace, frame.words[task.extractor]);
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    Progress &progress = progress_.at(&frame);
    if (failure)
        progress.failure = failure;
    if (--progress.tasks_left == 0)
        frame_done_.notify_one();
}

} // namespace isovmaf
