// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/worker.hpp"

#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/lease.hpp"
#include "batch/unit_queue.hpp"
#include "engine/guarded.hpp"

namespace isovmaf::batch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{500}; ///< at units that other processes have

/// What all workers of a process share.
class Workplace {
  public:
    Workplace(const RunFolder &folder, const RowTable &rows, std::vector<Unit> units, const WorkOptions &options,
              const WorkObserver &observer, StoreIndex &index, StoreWriter &store, Leases &leases)
        : folder_(folder), rows_(rows), units_(std::move(units)), options_(options), observer_(observer), index_(index),
          store_(store), leases_(leases), inputs_(index, store, options.fast_keys), queue_(units_.size()) {
        counts_.units = units_.size();
    }

    /// One worker: takes units until all are settled.
    void work(const JobParser &parse) {
        while (const std::optional<std::size_t> unit = next()) {
            const Result<Outcome> outcome = attempt(units_[*unit], parse);
            const std::lock_guard lock(mutex_);
            if (outcome)
                settle(*unit, *outcome);
            else if (!failure_)
                failure_ = outcome.error();
            changed_.notify_all();
        }
    }

    Result<WorkCounts> result() {
        if (failure_)
            return tl::unexpected(*failure_);
        return counts_;
    }

  private:
    enum class End : std::uint8_t { known, finished, permanent, transient, busy, stopped };
    struct Outcome {
        End end;
        std::int64_t frames = 0;
    };

    bool stopped() const { return failure_ || observer_.stop(); }

    /// The next unit to look at; nothing when this worker is done. When only units of other processes are left, waits
    /// before looking at them again.
    std::optional<std::size_t> next() {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (stopped() || queue_.all_settled())
                return std::nullopt;
            const bool rest = busy_in_a_row_ >= queue_.waiting();
            if (!rest)
                if (const auto unit = queue_.take())
                    return unit;
            changed_.wait_for(lock, between_looks);
            if (rest)
                busy_in_a_row_ = 0;
        }
    }

    void settle(std::size_t unit, const Outcome &outcome) {
        if (outcome.end == End::busy || outcome.end == End::stopped) {
            queue_.put_back(unit);
            busy_in_a_row_++;
            if (busy_in_a_row_ == 1)
                queue_.jump_to(std::random_device()());
            return;
        }
        busy_in_a_row_ = 0;
        queue_.settle(unit);
        counts_.known += outcome.end == End::known;
        counts_.finished += outcome.end == End::finished;
        counts_.permanent += outcome.end == End::permanent;
        counts_.transient += outcome.end == End::transient;
        counts_.frames += outcome.frames;
        observer_.progressed(counts_);
    }

    /// Fails when the store or the leases cannot be used: then no unit can be done.
    Result<Outcome> attempt(const Unit &unit, const JobParser &parse) {
        const Row row = TRY(rows_.row(unit.row));
        const std::string reference = folder_.resolve(row.reference), distorted = folder_.resolve(row.distorted);
        const Result<PairJob> job = parse(row, reference, distorted);
        if (job)
            if (const std::optional<End> end = TRY(known_end(row, *job, unit)))
                return Outcome{*end};
        const std::string name = unit_name(row, unit.frames);
        if (!TRY(leases_.take(name)))
            return Outcome{End::busy};
        const Result<Outcome> outcome =
            job ? work_on(row, *job, unit, name) : failed(UnitRecord{name, {}}, row, job.error());
        leases_.give_back(name);
        return outcome;
    }

    /// How the unit ended, as the stores say, as far as that is known without hashing contents.
    Result<std::optional<End>> known_end(const Row &row, const PairJob &job, const Unit &unit) {
        TRY(index_.refresh());
        const DigestSource known = [this](const std::string &path) {
            return known_digest(index_, path, options_.fast_keys);
        };
        const Result<std::optional<std::string>> key = unit_key(known, job, row, unit.frames);
        if (!key || !*key) // a file that is not there is found again when the unit is worked on
            return std::nullopt;
        return end_of(**key);
    }

    std::optional<End> end_of(const std::string &key) const {
        if (index_.finished(key))
            return End::known;
        const std::optional<UnitRecord> failure = index_.failure(key);
        return failure && failure->permanent ? std::optional(End::permanent) : std::nullopt;
    }

    Result<std::string> key_of(const Row &row, const PairJob &job, const Unit &unit) {
        const DigestSource hash = [this](const std::string &path) -> Result<std::optional<std::string>> {
            return TRY(inputs_.digest(path));
        };
        return *TRY(unit_key(hash, job, row, unit.frames));
    }

    /// Does a unit whose lease this process has.
    Result<Outcome> work_on(const Row &row, const PairJob &job, const Unit &unit, const std::string &name) {
        for (int tries = 0;; tries++) {
            UnitRecord record{name, {}};
            const Clock::time_point start = Clock::now();
            const Result<Computed> words = compute(row, job, unit, record);
            record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
            if (observer_.stop() && !words)
                return Outcome{End::stopped};
            if (words && words->end)
                return Outcome{*words->end};
            if (words) {
                TRY(store_.finished(record, words->words));
                return Outcome{End::finished, record.frames};
            }
            if (is_permanent(words.error().code) || tries >= options_.retries)
                return failed(record, row, words.error());
            warn(options_.log, fmt::format("line {}: {}; trying again", row.line, words.error().message));
        }
    }

    /// The words of a unit, or how it ended meanwhile in another process.
    struct Computed {
        std::vector<std::byte> words = {};
        std::optional<End> end = {};
    };

    /// Fills in the record.
    Result<Computed> compute(const Row &row, const PairJob &job, const Unit &unit, UnitRecord &record) {
        record.key = TRY(key_of(row, job, unit));
        TRY(index_.refresh());
        if (const std::optional<End> end = end_of(record.key))
            return Computed{{}, end};
        const LogSink log = [&](Severity severity, std::string_view sentence) {
            if (options_.log)
                options_.log(severity, fmt::format("line {}: {}", row.line, sentence));
        };
        Computed computed;
        TRY(guarded([&]() -> Result<void> {
            const auto file = TRY(extract_unit(
                job, unit.frames, [this] { return observer_.stop(); }, log));
            if (file) {
                record.frames = static_cast<std::int64_t>(file->frames.size());
                computed.words = encode_words(*file);
            }
            return {};
        }));
        if (TRY(key_of(row, job, unit)) != record.key)
            return fail(ErrorCode::io, "a file changed while it was read");
        return computed;
    }

    /// The message with a video's path as the row has it: results must not tell where the folder lies.
    std::string as_written(std::string message, const std::string &video) const {
        const std::string path = folder_.resolve(video);
        for (std::size_t at = message.find(path); at != std::string::npos; at = message.find(path, at + video.size()))
            message.replace(at, path.size(), video);
        return message;
    }

    Result<Outcome> failed(UnitRecord record, const Row &row, const Error &error) {
        record.error = as_written(as_written(error.message, row.reference), row.distorted);
        record.permanent = is_permanent(error.code);
        TRY(store_.append(record));
        warn(options_.log, fmt::format("line {} failed: {}", row.line, record.error));
        return Outcome{record.permanent ? End::permanent : End::transient};
    }

    const RunFolder &folder_;
    const RowTable &rows_;
    const std::vector<Unit> units_;
    const WorkOptions &options_;
    const WorkObserver &observer_;
    StoreIndex &index_;
    StoreWriter &store_;
    Leases &leases_;
    Inputs inputs_;

    std::mutex mutex_; ///< of what follows
    std::condition_variable changed_;
    UnitQueue queue_;
    std::size_t busy_in_a_row_ = 0; ///< units that other processes have, since one was settled
    WorkCounts counts_;
    std::optional<Error> failure_;
};

std::vector<Unit> shard_of(const std::vector<Unit> &units, const WorkOptions &options) {
    std::vector<Unit> shard;
    for (std::size_t i = options.shard; i < units.size(); i += options.shard_count)
        shard.push_back(units[i]);
    return shard;
}

} // namespace

bool is_permanent(ErrorCode code) {
    switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::unsupported:
    case ErrorCode::mismatch:
    case ErrorCode::corrupt_data:
    case ErrorCode::internal:
        return true;
    case ErrorCode::not_found: // a file may come back
    case ErrorCode::io:
    case ErrorCode::out_of_memory:
    case ErrorCode::device_lost:
    case ErrorCode::interrupted:
    case ErrorCode::device_failed:
    case ErrorCode::not_executed:
        return false;
    }
    return true;
}

Result<WorkCounts> run_workers(const RunFolder &folder, const RowTable &rows, const std::vector<Unit> &units,
                               const std::function<JobParser()> &make_parser, const WorkOptions &options,
                               const WorkObserver &observer) {
    StoreIndex index({folder.stores()});
    TRY(index.refresh());
    const std::unique_ptr<StoreWriter> store = TRY(StoreWriter::create(folder.stores()));
    const std::unique_ptr<Leases> leases = TRY(Leases::create(folder.leases(), options.lease_expiry));
    Workplace workplace(folder, rows, shard_of(units, options), options, observer, index, *store, *leases);
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < options.workers; i++)
            workers.emplace_back([&workplace, parse = make_parser()] { workplace.work(parse); });
    }
    return workplace.result();
}

} // namespace isovmaf::batch
