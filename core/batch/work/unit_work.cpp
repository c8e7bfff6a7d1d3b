// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_work.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/manifest/row.hpp"
#include "batch/store/process_name.hpp"

namespace isovmaf::batch {

namespace {

using Clock = std::chrono::steady_clock;

Error killed_twice() {
    return {ErrorCode::internal,
            "the process died twice while it scored this pair, the second time with nothing else in work: the pair "
            "needs more memory than there is, or makes a decoder or driver crash; --retry-failed tries it again"};
}

/// Gives each sentence to `log` once, from any thread: several workers open the same device.
LogSink said_once(LogSink log) {
    struct Said {
        std::mutex mutex;
        std::set<std::string, std::less<>> sentences;
    };
    return [log = std::move(log), said = std::make_shared<Said>()](Severity severity, std::string_view sentence) {
        const std::lock_guard lock(said->mutex);
        if (log && said->sentences.emplace(sentence).second)
            log(severity, sentence);
    };
}

} // namespace

UnitWork::UnitWork(Run &run, UnitWorkOptions options, std::function<bool()> stop, StoreWriter &store)
    : run_(run), index_(*run.index), options_(std::move(options)), stop_(std::move(stop)),
      device_log_(said_once(options_.log)), store_(store), jobs_(run.folder.settings().base),
      ends_(index_, *run.lists, {options_.retry_failed, options_.fast_keys}, stop_),
      computer_(index_, *run.lists, store, ends_, {options_.fast_keys, options_.staging, options_.log}, stop_) {}

class UnitWork::Claim : public UnitInWork {
  public:
    Claim(std::optional<UnitLocks> &locks, std::size_t number, UnitInWork unit)
        : UnitInWork(std::move(unit)), locks_(locks), number_(number) {}
    ~Claim() {
        if (locks_)
            locks_->give_back(number_, recorded);
    }
    Claim(const Claim &) = delete;
    Claim &operator=(const Claim &) = delete;

    bool recorded = false; ///< the store has the unit's end, or will have it before the claim ends

  private:
    std::optional<UnitLocks> &locks_;
    const std::size_t number_;
};

Result<std::vector<UnitOutcome>> UnitWork::attempt(const Task &task, UnitWorker &worker) {
    std::vector<UnitOutcome> outcomes;
    std::vector<std::shared_ptr<Claim>> claims;
    std::vector<std::size_t> claimed; // the places of these units
    for (const std::size_t number : task.units) {
        const std::optional<UnitEnd> end = TRY(claim(number, worker, claims));
        if (!end)
            claimed.push_back(outcomes.size());
        outcomes.push_back({end.value_or(UnitEnd::stopped)});
    }
    if (claims.empty())
        return outcomes;
    if (task.alone && TRY(kills_processes(*claims.front()))) {
        outcomes.front() = TRY(failed(UnitRecord{claims.front()->name, {}}, killed_twice(), claims.front()));
        return outcomes;
    }
    TRY(worker.extractor.open_device(worker.execution, options_.hwaccel, device_log_));
    if (task.alone) // should it kill the process, nothing else is lost
        TRY(store_.flush());
    TRY(begin(claims, task.alone));
    if (claims.size() > 1) {
        std::vector<const UnitInWork *> units;
        for (const std::shared_ptr<Claim> &claim : claims)
            units.push_back(claim.get());
        computer_.prepare(units, worker.extractor);
    }
    for (std::size_t i = 0; i < claims.size(); i++) {
        const std::shared_ptr<Claim> claim = std::move(claims[i]);
        outcomes[claimed[i]] =
            TRY(claim->job ? work_on(claim, worker) : failed(UnitRecord{claim->name, {}}, claim->job.error(), claim));
    }
    return outcomes;
}

/// Takes the lock of a unit, or returns how the unit ended without it.
Result<std::optional<UnitEnd>> UnitWork::claim(std::size_t number, UnitWorker &worker,
                                               std::vector<std::shared_ptr<Claim>> &claims) {
    const Unit &unit = run_.units[number];
    Row row = TRY(run_.rows.row(unit.row));
    Result<PairJob> job = jobs_.make(row, worker.execution);
    if (job)
        job->videos.hwaccel = options_.hwaccel;
    const auto end_known = [&] { return job ? ends_.known(row, *job, unit.frames) : std::nullopt; };
    if (const std::optional<UnitEnd> end = end_known())
        return end;
    if (run_.locks && !TRY(run_.locks->take(number)))
        return UnitEnd::busy;
    auto claim =
        std::make_shared<Claim>(run_.locks, number, UnitInWork{unit.frames, row, job, unit_name(row, unit.frames)});
    if (run_.locks && run_.locks->has_ended(number)) { // another process may have done it since stores were read
        TRY(index_.refresh());
        if (const std::optional<UnitEnd> end = end_known())
            return end;
    }
    claims.push_back(std::move(claim));
    return std::nullopt;
}

/// Says in the store which units are begun: should they kill this process, the next one knows.
Result<void> UnitWork::begin(std::span<const std::shared_ptr<Claim>> claims, bool alone) {
    BegunRecord record{{}, alone};
    for (const std::shared_ptr<Claim> &claim : claims)
        record.units.push_back(claim->name);
    return store_.begun(std::move(record));
}

/// Whether a process has died with this unit alone in work, after another had died with it.
Result<bool> UnitWork::kills_processes(const Claim &claim) {
    if (options_.retry_failed)
        return false;
    if (run_.locks) // the process that had it may have been asked to end
        TRY(index_.refresh());
    const std::map<std::string, UnitDeaths> deaths = index_.deaths();
    const auto found = deaths.find(claim.name);
    return found != deaths.end() && found->second.all > 1 && found->second.alone > 0;
}

/// Does a unit. The store ends the claim when the unit's record is on disk.
Result<UnitOutcome> UnitWork::work_on(const std::shared_ptr<Claim> &claim, UnitWorker &worker) {
    for (int tries = 0;; tries++) {
        UnitRecord record{claim->name, {}};
        const Clock::time_point start = Clock::now();
        const Result<UnitComputer::Computed> computed = computer_.compute(*claim, record, worker.extractor);
        record.seconds = std::max(std::chrono::duration<double>(Clock::now() - start).count(), record.stages.wall());
        if (stop_() && !computed)
            return UnitOutcome{UnitEnd::stopped};
        if (computed && computed->end)
            return UnitOutcome{*computed->end};
        if (computed) {
            StageTimes times = record.stages;
            TRY(store(record, *computed, claim, times));
            return UnitOutcome{UnitEnd::finished, record.frames, times};
        }
        if (is_permanent(computed.error().code) || tries >= options_.retries)
            return failed(record, computed.error(), claim);
        warn(options_.log, fmt::format("line {}: {}; trying again", claim->row.line, computed.error().message));
    }
}

Result<void> UnitWork::store(const UnitRecord &record, const UnitComputer::Computed &computed,
                             const std::shared_ptr<Claim> &claim, StageTimes &times) {
    const StageClock clock(times.finish);
    claim->recorded = true;
    TRY(store_.finished(record, computed.words, claim, computed.pictures));
    ends_.add_finished(record.key);
    return {};
}

Result<UnitOutcome> UnitWork::failed(UnitRecord record, const Error &error, const std::shared_ptr<Claim> &claim) {
    const Row &row = claim->row;
    record.error = hide_names(error.message, run_.folder.resolve(row.reference), run_.folder.resolve(row.distorted));
    record.permanent = is_permanent(error.code);
    record.versions = versions_in_use();
    record.host = host_name();
    claim->recorded = true;
    TRY(store_.append(record, claim));
    warn(options_.log, fmt::format("line {} failed: {}", row.line, show_names(record.error, row)));
    return UnitOutcome{record.permanent ? UnitEnd::permanent : UnitEnd::transient};
}

} // namespace isovmaf::batch
