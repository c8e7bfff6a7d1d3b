// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/worker.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "base/try.hpp"

namespace isovmaf::batch {

namespace {

double seconds_since(TimeBudget::Clock::time_point start) {
    return std::chrono::duration<double>(TimeBudget::Clock::now() - start).count();
}

/// What all workers of a process share.
class Workplace {
  public:
    Workplace(const std::vector<Unit> &units, UnitSource &source, UnitWork &work, TimeBudget &budget,
              const WorkOptions &options, const WorkObserver &observer)
        : units_(units), source_(source), work_(work), budget_(budget), observer_(observer) {
        counts_.units = source.size();
        counts_.workers.resize(static_cast<std::size_t>(options.workers));
    }

    /// One worker: takes units until there are no more.
    void work(std::size_t number, UnitWorker worker) {
        const Result<void> end = take_units(number, worker);
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
        while (const std::optional<std::size_t> unit = TRY(source_.next(stop))) {
            const UnitOutcome outcome = TRY(attempt(number, units_[*unit], worker));
            if (outcome.end == UnitEnd::busy || outcome.end == UnitEnd::stopped)
                TRY(source_.put_back(*unit));
            else
                TRY(source_.settle(*unit));
        }
        return {};
    }

    Result<UnitOutcome> attempt(std::size_t number, const Unit &unit, UnitWorker &worker) {
        double bytes = 0;
        const TimeBudget::Clock::time_point start = TimeBudget::Clock::now();
        const UnitOutcome outcome = TRY(work_.attempt(unit, worker, [&](const PairJob &job, const Row &row) {
            return refuse(number, bytes = budget_.limited() ? input_bytes(job, row, unit.frames) : 0);
        }));
        const double seconds = seconds_since(start);
        if (outcome.end == UnitEnd::finished)
            budget_.measured(number, bytes, seconds);
        count(number, outcome, seconds);
        return outcome;
    }

    /// How a unit ends that there is no time for.
    std::optional<UnitEnd> refuse(std::size_t worker, double bytes) const {
        switch (budget_.choose(worker, bytes)) {
        case UnitChoice::begin:
            break;
        case UnitChoice::leave:
            return UnitEnd::busy;
        case UnitChoice::postpone:
            return UnitEnd::postponed;
        }
        return std::nullopt;
    }

    void count(std::size_t worker, const UnitOutcome &outcome, double seconds) {
        if (outcome.end == UnitEnd::busy || outcome.end == UnitEnd::stopped)
            return;
        const std::lock_guard lock(mutex_);
        counts_.known += outcome.end == UnitEnd::known;
        counts_.finished += outcome.end == UnitEnd::finished;
        counts_.permanent += outcome.end == UnitEnd::permanent;
        counts_.transient += outcome.end == UnitEnd::transient;
        counts_.postponed += outcome.end == UnitEnd::postponed;
        counts_.frames += outcome.frames;
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
    std::atomic<bool> failed_ = false;

    std::mutex mutex_; ///< of what follows
    WorkCounts counts_;
    std::optional<Error> failure_;
};

} // namespace

Result<WorkCounts> run_workers(const RunFolder &folder, const RowTable &rows, const std::vector<Unit> &units,
                               UnitSource &source, const std::function<JobParser(std::size_t)> &make_parser,
                               const WorkOptions &options, const WorkObserver &observer) {
    StoreIndex index({folder.stores()});
    TRY(index.refresh());
    const std::unique_ptr<StoreWriter> store = TRY(StoreWriter::create(folder.stores()));
    const std::unique_ptr<Leases> leases = TRY(Leases::create(folder.leases(), options.lease_expiry));
    TimeBudget budget(static_cast<std::size_t>(options.workers), options.end);
    UnitWork work(folder, rows, options, [&] { return budget.over() || observer.stop(); }, index, *store, *leases);
    Workplace workplace(units, source, work, budget, options, observer);
    {
        std::vector<std::jthread> workers;
        for (std::size_t i = 0; i < static_cast<std::size_t>(options.workers); i++)
            workers.emplace_back([&workplace, i, parse = make_parser(i)] { workplace.work(i, {parse}); });
    }
    return workplace.result();
}

} // namespace isovmaf::batch
