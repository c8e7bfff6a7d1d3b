// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/worker.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "base/try.hpp"

namespace isovmaf::batch {

namespace {

/// What all workers of a process share.
class Workplace {
  public:
    Workplace(const std::vector<Unit> &units, UnitSource &source, UnitWork &work, const WorkObserver &observer)
        : units_(units), source_(source), work_(work), observer_(observer) {
        counts_.units = source.size();
    }

    /// One worker: takes units until there are no more.
    void work(const JobParser &parse) {
        const Result<void> end = take_units(parse);
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
    Result<void> take_units(const JobParser &parse) {
        const std::function<bool()> stop = [this] { return failed_ || observer_.stop(); };
        while (const std::optional<std::size_t> unit = TRY(source_.next(stop))) {
            const UnitOutcome outcome = TRY(work_.attempt(units_[*unit], parse));
            if (outcome.end == UnitEnd::busy || outcome.end == UnitEnd::stopped) {
                TRY(source_.put_back(*unit));
                continue;
            }
            count(outcome);
            TRY(source_.settle(*unit));
        }
        return {};
    }

    void count(const UnitOutcome &outcome) {
        const std::lock_guard lock(mutex_);
        counts_.known += outcome.end == UnitEnd::known;
        counts_.finished += outcome.end == UnitEnd::finished;
        counts_.permanent += outcome.end == UnitEnd::permanent;
        counts_.transient += outcome.end == UnitEnd::transient;
        counts_.frames += outcome.frames;
        observer_.progressed(counts_);
    }

    const std::vector<Unit> &units_;
    UnitSource &source_;
    UnitWork &work_;
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
    UnitWork work(folder, rows, options, observer.stop, index, *store, *leases);
    Workplace workplace(units, source, work, observer);
    {
        std::vector<std::jthread> workers;
        for (std::size_t i = 0; i < static_cast<std::size_t>(options.workers); i++)
            workers.emplace_back([&workplace, parse = make_parser(i)] { workplace.work(parse); });
    }
    return workplace.result();
}

} // namespace isovmaf::batch
