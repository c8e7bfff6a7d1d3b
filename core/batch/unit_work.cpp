// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/unit_work.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/failure_text.hpp"
#include "engine/guarded.hpp"

namespace isovmaf::batch {

namespace {

using Clock = std::chrono::steady_clock;

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

UnitWork::UnitWork(const RunFolder &folder, const RowTable &rows, UnitWorkOptions options, std::function<bool()> stop,
                   StoreIndex &index, StoreWriter &store, Leases &leases)
    : folder_(folder), rows_(rows), options_(std::move(options)), stop_(std::move(stop)), index_(index), store_(store),
      leases_(leases), inputs_(index, store, options_.fast_keys, stop_) {}

Result<UnitOutcome> UnitWork::attempt(const Unit &unit, UnitWorker &worker, const BeginCheck &before_begin) {
    const Row row = TRY(rows_.row(unit.row));
    const std::string reference = folder_.resolve(row.reference), distorted = folder_.resolve(row.distorted);
    const Result<PairJob> job = worker.parse(row, reference, distorted);
    if (job) {
        if (const std::optional<UnitEnd> end = TRY(known_end(row, *job, unit)))
            return UnitOutcome{*end};
        if (const std::optional<UnitEnd> end = before_begin(*job, row))
            return UnitOutcome{*end};
    }
    const std::string name = unit_name(row, unit.frames);
    if (!TRY(leases_.take(name)))
        return UnitOutcome{UnitEnd::busy};
    const Result<UnitOutcome> outcome =
        job ? work_on(row, *job, unit, name, worker) : failed(UnitRecord{name, {}}, row, job.error());
    leases_.give_back(name);
    return outcome;
}

/// How the unit ended, as the stores say, as far as that is known without hashing contents.
Result<std::optional<UnitEnd>> UnitWork::known_end(const Row &row, const PairJob &job, const Unit &unit) {
    TRY(index_.refresh());
    const DigestSource known = [this](const std::string &path) {
        return known_digest(index_, path, options_.fast_keys);
    };
    const Result<std::optional<std::string>> key = unit_key(known, job, row, unit.frames);
    if (!key || !*key) // a file that is not there is found again when the unit is worked on
        return std::nullopt;
    return end_of(**key);
}

std::optional<UnitEnd> UnitWork::end_of(const std::string &key) const {
    if (index_.finished(key))
        return UnitEnd::known;
    const std::optional<UnitRecord> failure = index_.failure(key);
    return failure && failure->permanent ? std::optional(UnitEnd::permanent) : std::nullopt;
}

DigestSource UnitWork::hashing() {
    return [this](const std::string &path) -> Result<std::optional<std::string>> { return TRY(inputs_.digest(path)); };
}

Result<std::string> UnitWork::key_of(const Row &row, const PairJob &job, const Unit &unit) {
    return *TRY(unit_key(hashing(), job, row, unit.frames));
}

/// Does a unit whose lease this process has.
Result<UnitOutcome> UnitWork::work_on(const Row &row, const PairJob &job, const Unit &unit, const std::string &name,
                                      UnitWorker &worker) {
    for (int tries = 0;; tries++) {
        UnitRecord record{name, {}};
        const Clock::time_point start = Clock::now();
        const Result<Computed> words = compute(row, job, unit, record, worker);
        record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (stop_() && !words)
            return UnitOutcome{UnitEnd::stopped};
        if (words && words->end)
            return UnitOutcome{*words->end};
        if (words) {
            StageTimes times = record.stages;
            TRY(store(record, words->words, times));
            return UnitOutcome{UnitEnd::finished, record.frames, times};
        }
        if (is_permanent(words.error().code) || tries >= options_.retries)
            return failed(record, row, words.error());
        warn(options_.log, fmt::format("line {}: {}; trying again", row.line, words.error().message));
    }
}

Result<void> UnitWork::store(const UnitRecord &record, std::span<const std::byte> words, StageTimes &times) {
    const StageClock clock(times.finish);
    return store_.finished(record, words);
}

/// Fills in the record.
Result<UnitWork::Computed> UnitWork::compute(const Row &row, const PairJob &job, const Unit &unit, UnitRecord &record,
                                             UnitWorker &worker) {
    {
        const StageClock clock(record.stages.decode);
        record.key = TRY(key_of(row, job, unit));
    }
    TRY(index_.refresh());
    if (const std::optional<UnitEnd> end = end_of(record.key))
        return Computed{{}, end};
    Computed computed;
    TRY(guarded([&]() -> Result<void> {
        const auto file = TRY(extract(row, job, unit, worker, record.stages));
        if (file) {
            const StageClock clock(record.stages.finish);
            record.frames = static_cast<std::int64_t>(file->frames.size());
            computed.words = encode_words(*file);
        }
        return {};
    }));
    if (TRY(key_of(row, job, unit)) != record.key)
        return fail(ErrorCode::io, "a file changed while it was read");
    return computed;
}

Result<std::optional<WordsFile>> UnitWork::extract(const Row &row, const PairJob &job, const Unit &unit,
                                                   UnitWorker &worker, StageTimes &times) {
    const LogSink log = [&](Severity severity, std::string_view sentence) {
        if (options_.log)
            options_.log(severity, fmt::format("line {}: {}", row.line, sentence));
    };
    return worker.extractor.extract({job, unit.frames, *TRY(session_key(hashing(), job, row)), stop_, log}, times);
}

Result<UnitOutcome> UnitWork::failed(UnitRecord record, const Row &row, const Error &error) {
    record.error = hide_names(error.message, folder_.resolve(row.reference), folder_.resolve(row.distorted));
    record.permanent = is_permanent(error.code);
    TRY(store_.append(record));
    warn(options_.log, fmt::format("line {} failed: {}", row.line, show_names(record.error, row)));
    return UnitOutcome{record.permanent ? UnitEnd::permanent : UnitEnd::transient};
}

} // namespace isovmaf::batch
