// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/scheduler.hpp"

#include <algorithm>
#include <cassert>

namespace isovmaf {

Scheduler::Scheduler(std::vector<const Extractor *> extractors, int threads)
    : extractors_(std::move(extractors)), max_in_flight_(static_cast<std::size_t>(threads) + 2) {
    for (int i = 0; i < threads; i++)
        workers_.emplace_back([this](const std::stop_token &stop) { work(stop); });
}

Scheduler::~Scheduler() {
    for (std::jthread &worker : workers_)
        worker.request_stop();
    workers_.clear(); // joins, before the frames that the workers read go
}

std::unique_ptr<FrameInFlight> Scheduler::blank() {
    if (!spare_.empty()) {
        std::unique_ptr<FrameInFlight> frame = std::move(spare_.back());
        spare_.pop_back();
        return frame;
    }
    auto frame = std::make_unique<FrameInFlight>();
    for (const Extractor *extractor : extractors_)
        frame->sums.emplace_back(extractor->sums_count());
    return frame;
}

void Scheduler::submit(std::unique_ptr<FrameInFlight> frame) {
    assert(!full() && frame->wanted.size() == extractors_.size());
    FrameInFlight &submitted = *frame;
    in_flight_.push_back(std::move(frame));
    const std::lock_guard lock(mutex_);
    for (std::size_t e = 0; e < extractors_.size(); e++)
        if (submitted.wanted[e]) {
            submitted.tasks_left++;
            tasks_.push_back({&submitted, e});
        }
    task_ready_.notify_all();
}

std::unique_ptr<FrameInFlight> Scheduler::take(Wait wait) {
    if (in_flight_.empty())
        return nullptr;
    {
        std::unique_lock lock(mutex_);
        const auto done = [&] { return in_flight_.front()->tasks_left == 0; };
        if (wait == Wait::yes)
            frame_done_.wait(lock, done);
        else if (!done())
            return nullptr;
    }
    std::unique_ptr<FrameInFlight> frame = std::move(in_flight_.front());
    in_flight_.pop_front();
    if (frame->failure)
        std::rethrow_exception(frame->failure);
    return frame;
}

void Scheduler::recycle(std::unique_ptr<FrameInFlight> frame) {
    frame->pair = {};
    frame->earlier_reference = {};
    spare_.push_back(std::move(frame));
}

void Scheduler::work(const std::stop_token &stop) {
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

void Scheduler::run(const Task &task, Workspace &workspace) {
    FrameInFlight &frame = *task.frame;
    std::exception_ptr failure;
    try {
        FrameInputs inputs{&frame.pair.reference, &frame.pair.distorted, {}};
        for (std::size_t back = 0; back < inputs.earlier_reference.size(); back++)
            inputs.earlier_reference[back] = frame.earlier_reference[back] ? &frame.earlier_reference[back] : nullptr;
        workspace.reset();
        extractors_[task.extractor]->extract(inputs, workspace, frame.sums[task.extractor]);
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (failure)
        frame.failure = failure;
    if (--frame.tasks_left == 0)
        frame_done_.notify_one();
}

} // namespace isovmaf
