// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/worker.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "batch/work/unit.hpp"
#include "engine/guarded.hpp"

namespace isovmaf::batch {

namespace {

/// Finds the units of one group.
class UnitGroups {
  public:
    explicit UnitGroups(const std::vector<Unit> &units) : units_(units), order_(units.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::ranges::stable_sort(order_, {}, [&](std::size_t unit) { return units_[unit].group; });
    }

    /// The units of the same group that stand behind this one, in their order.
    [[nodiscard]] std::span<const std::size_t> behind(std::size_t unit) const {
        const auto group = std::ranges::equal_range(order_, units_[unit].group, {},
                                                    [&](std::size_t other) { return units_[other].group; });
        return {std::ranges::upper_bound(group, unit), group.end()};
    }

  private:
    const std::vector<Unit> &units_;
    std::vector<std::size_t> order_; ///< all units, group by group
};

double seconds_since(TimeBudget::Clock::time_point start) {
    return std::chrono::duration<double>(TimeBudget::Clock::now() - start).count();
}

/// How many units a worker takes at a time: few enough that every worker gets some.
std::size_t most_side_by_side(std::size_t units, const WorkOptions &options) {
    const std::size_t workers = options.workers.size();
    return std::min(options.group, (units + workers - 1) / workers);
}

/// What all workers of a process share.
class Workplace {
  public:
    Workplace(const std::vector<Unit> &units, UnitSource &source, UnitWork &work, TimeBudget &budget,
              const WorkOptions &options, const WorkObserver &observer)
        : units_(units), source_(source), work_(work), budget_(budget), observer_(observer),
          most_in_group_(most_side_by_side(source.size(), options)) {
        if (most_in_group_ > 1)
            groups_.emplace(units);
        counts_.units = source.size();
        counts_.workers.resize(options.workers.size());
    }

    /// One worker: takes units until there are no more.
    void work(std::size_t number, UnitWorker worker) {
        const Result<void> end = guarded([&] { return take_units(number, worker); });
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
    Result<void> take_units(std::size_t number, UnitWorker &worker) {
        const std::function<bool()> stop = [this] { return failed_ || budget_.over() || observer_.stop(); };
        std::size_t most = budget_.limited() ? 1 : most_in_group_; // the first unit shows how fast the worker is
        while (const std::optional<std::size_t> first = TRY(source_.next(stop))) {
            const std::vector<std::size_t> numbers = TRY(with_companions(*first, std::exchange(most, most_in_group_)));
            const std::vector<UnitOutcome> outcomes = TRY(attempt(number, numbers, worker));
            for (std::size_t i = 0; i < numbers.size(); i++)
                if (outcomes[i].end == UnitEnd::busy || outcomes[i].end == UnitEnd::stopped)
                    TRY(source_.put_back(numbers[i]));
                else
                    TRY(source_.settle(numbers[i], outcomes[i]));
        }
        return {};
    }

    /// A unit, and others of its group that wait: `most` in all.
    Result<std::vector<std::size_t>> with_companions(std::size_t unit, std::size_t most) {
        std::vector<std::size_t> units{unit};
        if (groups_ && most > 1)
            for (const std::size_t other : groups_->behind(unit)) {
                if (TRY(source_.take(other)))
                    units.push_back(other);
                if (units.size() >= most)
                    break;
            }
        return units;
    }

    Result<std::vector<UnitOutcome>> attempt(std::size_t number, const std::vector<std::size_t> &numbers,
                                             UnitWorker &worker) {
        std::vector<Unit> units;
        for (const std::size_t unit : numbers)
            units.push_back(units_[unit]);
        double bytes = 0; // of the units that are begun
        const TimeBudget::Clock::time_point start = TimeBudget::Clock::now();
        const auto before_begin = [&](const PairJob &job, const Row &row) {
            return refuse(number, budget_.limited() ? input_bytes(job, row, units.front().frames) : 0, bytes);
        };
        const std::vector<UnitOutcome> outcomes = TRY(work_.attempt(units, worker, before_begin));
        const double seconds = seconds_since(start);
        const auto finished = std::ranges::count(outcomes, UnitEnd::finished, &UnitOutcome::end);
        if (finished > 0)
            budget_.measured(number, bytes, seconds);
        for (const UnitOutcome &outcome : outcomes)
            count(number, outcome, seconds / static_cast<double>(finished));
        return outcomes;
    }

    /// How a unit ends for which no time is left beside the units already begun, whose inputs have `begun` bytes.
    std::optional<UnitEnd> refuse(std::size_t worker, double bytes, double &begun) const {
        switch (budget_.choose(worker, begun + bytes)) {
        case UnitChoice::begin:
            begun += bytes;
            break;
        case UnitChoice::leave:
            return UnitEnd::busy;
        case UnitChoice::postpone:
            return begun > 0 ? UnitEnd::busy : UnitEnd::postponed; // there may be time for it alone
        }
        return std::nullopt;
    }

    void count(std::size_t worker, const UnitOutcome &outcome, double seconds) {
        if (outcome.end == UnitEnd::busy || outcome.end == UnitEnd::stopped)
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

    const std::vector<Unit> &units_;
    UnitSource &source_;
    UnitWork &work_;
    TimeBudget &budget_;
    const WorkObserver &observer_;
    const std::size_t most_in_group_;
    std::optional<UnitGroups> groups_; ///< none when every unit is extracted alone
    std::atomic<bool> failed_ = false;

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
    postponed += outcome.end == UnitEnd::postponed;
    frames += outcome.frames;
}

void WorkCounts::add(const WorkCounts &others) {
    known += others.known;
    finished += others.finished;
    permanent += others.permanent;
    transient += others.transient;
    postponed += others.postponed;
    frames += others.frames;
}

Result<WorkCounts> run_workers(const RunFolder &folder, const RowTable &rows, const std::vector<Unit> &units,
                               UnitSource &source, const WorkOptions &options, const WorkObserver &observer) {
    StoreIndex index({folder.stores()});
    TRY(index.refresh());
    const std::unique_ptr<Leases> leases = TRY(Leases::create(folder.leases(), options.lease_expiry));
    const std::unique_ptr<StoreWriter> store = TRY(StoreWriter::create(folder.stores())); // it gives leases back
    TimeBudget budget(options.workers.size(), options.end);
    std::unique_ptr<Staging> staging;
    UnitWorkOptions unit_options = options;
    if (options.stage) {
        staging = TRY(Staging::create(*options.stage, options.log));
        unit_options.staging = staging.get();
    }
    UnitWork work(
        folder, rows, unit_options, [&] { return budget.over() || observer.stop(); }, index, *store, *leases);
    Workplace workplace(units, source, work, budget, options, observer);
    {
        std::vector<std::jthread> workers;
        for (std::size_t i = 0; i < options.workers.size(); i++)
            workers.emplace_back([&, i] {
                observer.started(i);
                workplace.work(i, {options.workers[i]});
            });
    }
    const Result<void> flushed = store->flush();
    WorkCounts counts = TRY(workplace.result());
    TRY(flushed);
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

std::vector<WorkerPlace> place_workers(std::span<const ListedDevice> devices, int workers, int threads) {
    std::vector<WorkerPlace> places;
    for (int i = 0; i < workers; i++)
        for (const ListedDevice &device : devices)
            places.push_back({device});
    const int count = static_cast<int>(places.size());
    const int on_cpu = static_cast<int>(std::ranges::count_if(devices, is_cpu)) * workers;
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
