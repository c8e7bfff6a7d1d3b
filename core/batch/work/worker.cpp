// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/worker.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/try.hpp"
#include "engine/guarded.hpp"

namespace isovmaf::batch {

namespace {

using Clock = std::chrono::steady_clock;

/// What all workers of a process share.
class Workplace {
  public:
    Workplace(TaskSource &source, UnitWork &work, const WorkOptions &options, const WorkObserver &observer)
        : source_(source), work_(work), observer_(observer) {
        counts_.units = source.units();
        counts_.workers.resize(options.workers.size());
    }

    /// One worker: takes tasks until there are no more.
    void work(std::size_t number, UnitWorker worker) {
        const Result<void> end = guarded([&] { return take_tasks(number, worker); });
        if (end)
            return;
        const std::lock_guard lock(mutex_);
        if (!failure_)
            failure_ = end.error();
        failed_ = true;
    }

    Result<WorkCounts> result() {
        if (failure_)
            return tl::unexpected(*failure_);
        return counts_;
    }

  private:
    Result<void> take_tasks(std::size_t number, UnitWorker &worker) {
        const std::function<bool()> stop = [this] { return failed_ || observer_.stop(); };
        while (const std::optional<Task> task = TRY(source_.next(stop))) {
            const Result<std::vector<UnitOutcome>> outcomes = attempt(number, *task, worker);
            const std::vector<UnitOutcome> not_done(task->units.size(), UnitOutcome{UnitEnd::stopped});
            TRY(source_.done(*task, outcomes.value_or(not_done)));
            if (!outcomes)
                return tl::unexpected(outcomes.error());
        }
        return {};
    }

    Result<std::vector<UnitOutcome>> attempt(std::size_t number, const Task &task, UnitWorker &worker) {
        std::shared_lock beside(in_work_, std::defer_lock);
        std::unique_lock alone(in_work_, std::defer_lock);
        task.alone ? alone.lock() : beside.lock();
        const Clock::time_point start = Clock::now();
        std::vector<UnitOutcome> outcomes = TRY(guarded([&] { return work_.attempt(task, worker); }));
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        const auto finished = std::ranges::count(outcomes, UnitEnd::finished, &UnitOutcome::end);
        for (const UnitOutcome &outcome : outcomes)
            count(number, outcome, seconds / static_cast<double>(finished));
        return outcomes;
    }

    void count(std::size_t worker, const UnitOutcome &outcome, double seconds) {
        if (!outcome.is_settled())
            return;
        const std::lock_guard lock(mutex_);
        counts_.add(outcome);
        if (outcome.end == UnitEnd::finished) {
            WorkerCounts &mine = counts_.workers[worker];
            mine.units++;
            mine.frames += outcome.frames;
            mine.seconds += seconds;
            mine.times += outcome.times;
        }
        observer_.progressed(counts_);
    }

    TaskSource &source_;
    UnitWork &work_;
    const WorkObserver &observer_;
    std::atomic<bool> failed_ = false;
    std::shared_mutex in_work_; ///< held by each task, and by a task that is to be alone exclusively

    std::mutex mutex_; ///< guards the members below
    WorkCounts counts_;
    std::optional<Error> failure_;
};

} // namespace

void WorkCounts::add(const UnitOutcome &outcome) {
    known += outcome.end == UnitEnd::known;
    finished += outcome.end == UnitEnd::finished;
    permanent += outcome.end == UnitEnd::permanent;
    transient += outcome.end == UnitEnd::transient;
    frames += outcome.frames;
}

void WorkCounts::add(const WorkCounts &others) {
    known += others.known;
    finished += others.finished;
    permanent += others.permanent;
    transient += others.transient;
    frames += others.frames;
}

namespace {

/// Tells the store as soon as work has to stop: the process may be killed before it has.
void watch_for_stop(const std::stop_token &ended, StoreWriter &store, const WorkObserver &observer) {
    constexpr std::chrono::milliseconds between_questions{100};
    while (!wait_for_stop(ended, between_questions))
        if (observer.stop()) {
            (void)store.stopped(); // a failure shows when the next record is written
            return;
        }
}

} // namespace

Result<WorkCounts> run_workers(Run &run, TaskSource &source, const WorkOptions &options, const WorkObserver &observer) {
    const std::unique_ptr<StoreWriter> store = TRY(StoreWriter::create(run.folder.stores(), run.shard));
    std::unique_ptr<Staging> staging;
    UnitWorkOptions unit_options = options;
    if (options.stage) {
        staging = TRY(Staging::create(*options.stage, options.log));
        unit_options.staging = staging.get();
    }
    UnitWork work(run, unit_options, observer.stop, *store);
    Workplace workplace(source, work, options, observer);
    {
        std::vector<std::jthread> workers;
        const std::jthread watch(
            [&](const std::stop_token &ended) { watch_for_stop(ended, *store, observer); }); // ends after the workers
        for (std::size_t i = 0; i < options.workers.size(); i++)
            workers.emplace_back([&, i] {
                observer.started(i);
                workplace.work(i, {options.workers[i], UnitExtractor(decoding_for, options.backends)});
            });
        workers.clear(); // waits for them
    }
    const Result<void> flushed = store->flush(), stopped = store->stopped();
    WorkCounts counts = TRY(workplace.result());
    TRY(flushed);
    TRY(stopped);
    return counts;
}

namespace {

constexpr int most_threads_beside_cpu = 2;

bool is_cpu(const ListedDevice &device) { return !device.index; }

/// The share of worker number `i` of `count` in `threads`, at least 1. The first workers get the remainder, one each.
int share(int threads, int count, int i) { return std::max(1, threads / count + (i < threads % count ? 1 : 0)); }

} // namespace

std::vector<ListedDevice> devices_of(const HostShare &share, const std::vector<ListedDevice> &devices) {
    const auto first = static_cast<std::size_t>(share.process), step = static_cast<std::size_t>(share.processes);
    if (devices.size() < step)
        return {devices[first % devices.size()]};
    std::vector<ListedDevice> mine;
    for (std::size_t i = first; i < devices.size(); i += step)
        mine.push_back(devices[i]);
    return mine;
}

int useful_workers(int gpus, int threads) {
    constexpr int most = 2, threads_of_each = 2;
    return std::clamp(threads / (threads_of_each * std::max(1, gpus)), 1, most);
}

std::vector<WorkerPlace> place_workers(std::span<const ListedDevice> devices, int workers, int threads) {
    const int cpus = static_cast<int>(std::ranges::count_if(devices, is_cpu));
    const int of_gpu = workers > 0 ? workers : useful_workers(static_cast<int>(devices.size()) - cpus, threads);
    const int of_cpu = std::max(1, workers);
    std::vector<WorkerPlace> places;
    for (int i = 0; i < std::max(of_gpu, of_cpu); i++)
        for (const ListedDevice &device : devices)
            if (i < (is_cpu(device) ? of_cpu : of_gpu))
                places.push_back({device});
    const int count = static_cast<int>(places.size());
    const int on_cpu = cpus * of_cpu;
    const bool mixed = on_cpu > 0 && on_cpu < count;
    const int of_device = mixed ? std::clamp(threads / count, 1, most_threads_beside_cpu) : 0;
    const int shared = threads - of_device * (count - on_cpu);
    int sharing = 0;
    for (WorkerPlace &place : places)
        place.threads =
            mixed && !is_cpu(place.device) ? of_device : share(std::max(1, shared), mixed ? on_cpu : count, sharing++);
    return places;
}

} // namespace isovmaf::batch
