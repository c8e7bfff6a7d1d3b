// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/thread_pool.hpp"

#include "base/float_environment.hpp"

namespace isovmaf::host {

namespace {

struct IdleRunners {
    std::mutex mutex;
    std::vector<std::unique_ptr<BlockRunner>> list;
};

IdleRunners &idle_runners() {
    static IdleRunners idle;
    return idle;
}

} // namespace

RunnerLoan::~RunnerLoan() {
    if (!runner_)
        return;
    IdleRunners &idle = idle_runners();
    const std::lock_guard lock(idle.mutex);
    idle.list.push_back(std::move(runner_));
}

BlockRunner &RunnerLoan::get(const Settings &settings) {
    if (runner_)
        return *runner_;
    IdleRunners &idle = idle_runners();
    {
        const std::lock_guard lock(idle.mutex);
        if (!idle.list.empty()) {
            runner_ = std::move(idle.list.back());
            idle.list.pop_back();
        }
    }
    if (!runner_)
        runner_ = std::make_unique<BlockRunner>();
    runner_->start(settings);
    return *runner_;
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    work_there_.notify_all();
    for (std::thread &helper : helpers_)
        helper.join();
}

Outcome ThreadPool::run(const Launch &launch) {
    launch_ = &launch;
    blocks_ = std::uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2];
    next_block_.store(0, std::memory_order_relaxed);
    outcome_ = {};
    if (blocks_ > 1) {
        start_helpers();
        {
            const std::lock_guard lock(mutex_);
            launches_++;
            busy_ = helpers_.size();
        }
        work_there_.notify_all();
    }
    run_blocks(runner_);
    std::unique_lock lock(mutex_);
    work_done_.wait(lock, [this] { return busy_ == 0; });
    return outcome_;
}

void ThreadPool::start_helpers() {
    while (helpers_.size() + 1 < settings_.threads)
        helpers_.emplace_back([this] { help(); });
}

void ThreadPool::help() {
    const FloatEnvironment floats;
    RunnerLoan runner;
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        work_there_.wait(lock, [&] { return stop_ || launches_ != seen; });
        if (stop_)
            return;
        seen = launches_;
        lock.unlock();
        run_blocks(runner);
        lock.lock();
        if (--busy_ == 0)
            work_done_.notify_one();
    }
}

void ThreadPool::run_blocks(RunnerLoan &runner) {
    const Size3 &groups = launch_->groups;
    for (std::uint64_t i; (i = next_block_.fetch_add(1, std::memory_order_relaxed)) < blocks_;) {
        const Size3 group{static_cast<std::uint32_t>(i % groups[0]),
                          static_cast<std::uint32_t>(i / groups[0] % groups[1]),
                          static_cast<std::uint32_t>(i / groups[0] / groups[1])};
        Outcome outcome = runner.get(settings_).run(*launch_, group, i);
        if (outcome.ok())
            continue;
        next_block_.store(blocks_, std::memory_order_relaxed);
        const std::lock_guard lock(mutex_);
        outcome_ = std::move(outcome);
    }
}

} // namespace isovmaf::host
