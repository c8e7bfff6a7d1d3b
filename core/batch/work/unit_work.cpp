// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_work.hpp"

#include <algorithm>
#include <chrono>
#include <list>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "batch/inputs/staging.hpp"
#include "batch/manifest/row.hpp"
#include "engine/guarded.hpp"
#include "input/libav/libav_decoder.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::batch {

namespace {

using Clock = std::chrono::steady_clock;

/// The job with the copies of its videos; when only a part of the frames is read, with the indexes of these.
PairJob job_reading(PairJob job, const StagedFiles &files, const FrameRange &frames, FrameIndexes &indexes) {
    for (VideoSide *const side : {&job.videos.reference, &job.videos.distorted})
        side->path = files.path_of(side->path);
    if (frames.first > 0 || frames.end)
        job.videos.indexes = &indexes;
    return job;
}

} // namespace

bool is_permanent(ErrorCode code) {
    const ErrorOrigin origin = origin_of(code);
    return origin == ErrorOrigin::input || origin == ErrorOrigin::options;
}

UnitWork::UnitWork(const RunFolder &folder, const RowTable &rows, UnitWorkOptions options, std::function<bool()> stop,
                   StoreIndex &index, StoreWriter &store, Leases &leases)
    : folder_(folder), rows_(rows), options_(std::move(options)), stop_(std::move(stop)),
      versions_(fmt::format("isovmaf {}, {}", version(), decoder_versions())), index_(index), store_(store),
      leases_(leases), indexes_(stop_), jobs_(folder.settings().base),
      inputs_(index, store, options_.fast_keys, stop_, options_.staging) {}

class UnitWork::Claim {
  public:
    Claim(Leases &leases, std::string lease, const Unit &of, Row at, Result<PairJob> parsed)
        : name(std::move(lease)), unit(of), row(std::move(at)), job(std::move(parsed)), leases_(leases) {}
    ~Claim() { leases_.give_back(name); }
    Claim(const Claim &) = delete;
    Claim &operator=(const Claim &) = delete;

    const std::string name;
    const Unit unit;
    const Row row;
    const Result<PairJob> job;

  private:
    Leases &leases_;
};

Result<std::vector<UnitOutcome>> UnitWork::attempt(std::span<const Unit> units, UnitWorker &worker,
                                                   const BeginCheck &before_begin) {
    std::vector<UnitOutcome> outcomes;
    std::vector<std::shared_ptr<Claim>> claims;
    std::vector<std::size_t> claimed; // the numbers of these units
    for (const Unit &unit : units) {
        const std::optional<UnitEnd> end = TRY(claim(unit, worker, before_begin, claims));
        if (!end)
            claimed.push_back(outcomes.size());
        outcomes.push_back({end.value_or(UnitEnd::stopped)});
    }
    if (!claims.empty())
        TRY(worker.extractor.open_device(worker.execution));
    if (claims.size() > 1)
        TRY(prepare(claims, worker));
    for (std::size_t i = 0; i < claims.size(); i++) {
        const Claim &claim = *claims[i];
        outcomes[claimed[i]] =
            TRY(claim.job ? work_on(claim.row, *claim.job, claim.unit, claim.name, claims[i], worker)
                          : failed(UnitRecord{claim.name, {}}, claim.row, claim.job.error(), claims[i]));
        claims[i].reset();
    }
    return outcomes;
}

/// Takes the lease of a unit, or returns how the unit ended without it.
Result<std::optional<UnitEnd>> UnitWork::claim(const Unit &unit, UnitWorker &worker, const BeginCheck &before_begin,
                                               std::vector<std::shared_ptr<Claim>> &claims) {
    Row row = TRY(rows_.row(unit.row));
    Result<PairJob> job = jobs_.make(row, worker.execution);
    if (job) {
        if (const std::optional<UnitEnd> end = TRY(known_end(row, *job, unit)))
            return end;
        if (const std::optional<UnitEnd> end = before_begin(*job, row))
            return end;
    }
    std::string name = unit_name(row, unit.frames);
    if (!TRY(leases_.take(name)))
        return UnitEnd::busy;
    claims.push_back(std::make_shared<Claim>(leases_, std::move(name), unit, std::move(row), std::move(job)));
    return std::nullopt;
}

/// Extracts the units that have the reference, the options and the frames of the first one side by side with it.
Result<void> UnitWork::prepare(std::span<const std::shared_ptr<Claim>> claims, UnitWorker &worker) {
    const Claim &first = *claims.front();
    const auto belongs = [&](const Claim &claim) {
        return claim.job && claim.row.reference == first.row.reference && claim.row.options == first.row.options &&
               claim.unit.frames == first.unit.frames;
    };
    UnitDigests digests(inputs_);
    std::list<PairJob> jobs; // which requests refer to
    std::list<LogSink> logs;
    std::vector<UnitExtractor::Request> requests;
    std::vector<const Claim *> members; // of requests
    for (const std::shared_ptr<Claim> &claim : claims) {
        if (!belongs(*claim))
            continue;
        Result<PairJob> job = digests.begin(*claim->job, claim->unit.frames);
        const auto session = session_key(hashing(), *claim->job, claim->row);
        TRY(index_.refresh_changed());
        if (!job || !session || !*session || ended(digests, *claim)) // shows again when the unit is worked on
            continue;
        requests.push_back({claim->name, jobs.emplace_back(*std::move(job)), claim->unit.frames, **session, stop_,
                            logs.emplace_back(log_of(claim->row))});
        members.push_back(claim.get());
    }
    if (requests.size() <= 1)
        return {};
    extract_group(requests, worker);
    for (const Claim *const member : members)
        if (worker.extractor.has_prepared(member->name) && digests.finish_hashing(*member->job))
            if (const Result<std::string> key = key_of(digests, *member))
                worker.extractor.set_key(member->name, *key);
    return {};
}

/// The key of a unit whose digests are known.
Result<std::string> UnitWork::key_of(UnitDigests &digests, const Claim &claim) {
    return *TRY(unit_key(digests.source(), *claim.job, claim.row, claim.unit.frames));
}

/// Whether the unit has an end, as far as its digests are known.
bool UnitWork::ended(UnitDigests &digests, const Claim &claim) {
    if (!digests.known(*claim.job))
        return false;
    const Result<std::string> key = key_of(digests, claim);
    return !key || end_of(*key);
}

/// Failures, also of staging, show again when each unit is worked on.
void UnitWork::extract_group(std::span<const UnitExtractor::Request> requests, UnitWorker &worker) {
    std::vector<PairJob> jobs;
    for (const UnitExtractor::Request &request : requests)
        jobs.push_back(request.job);
    StageTimes times; // those of a group are not the ones of a unit
    const Result<StagedFiles> files = stage(jobs, times);
    if (!files)
        return;
    std::vector<UnitExtractor::Request> staged;
    for (std::size_t i = 0; i < requests.size(); i++) {
        const UnitExtractor::Request &asked = requests[i];
        jobs[i] = job_reading(std::move(jobs[i]), *files, asked.frames, indexes_);
        staged.push_back({asked.key, jobs[i], asked.frames, asked.session_key, asked.cancelled, asked.log});
    }
    worker.extractor.prepare(staged);
}

/// How the unit ended, as the stores say, as far as that is known without hashing contents.
Result<std::optional<UnitEnd>> UnitWork::known_end(const Row &row, const PairJob &job, const Unit &unit) {
    TRY(index_.refresh_changed());
    const DigestSource known = [this](const std::string &path) {
        return known_digest(index_, path, options_.fast_keys);
    };
    const Result<std::optional<std::string>> key = unit_key(known, job, row, unit.frames);
    if (!key || !*key) // a file that is not there is found again when the unit is worked on
        return std::nullopt;
    return end_of(**key);
}

std::optional<UnitEnd> UnitWork::end_of(const std::string &key) {
    const std::lock_guard lock(mutex_);
    if (finished_.contains(key) || index_.finished(key))
        return UnitEnd::known;
    return index_.fails_with(key, versions_) ? std::optional(UnitEnd::permanent) : std::nullopt;
}

DigestSource UnitWork::hashing() {
    return [this](const std::string &path) -> Result<std::optional<std::string>> { return TRY(inputs_.digest(path)); };
}

Result<std::string> UnitWork::key_of(const Row &row, const PairJob &job, const Unit &unit) {
    return *TRY(unit_key(hashing(), job, row, unit.frames));
}

/// Does a unit whose lease this process has. The store gives the lease back when the unit's record is on disk.
Result<UnitOutcome> UnitWork::work_on(const Row &row, const PairJob &job, const Unit &unit, const std::string &name,
                                      const StoreWriter::Held &lease, UnitWorker &worker) {
    for (int tries = 0;; tries++) {
        UnitRecord record{name, {}};
        const Clock::time_point start = Clock::now();
        const Result<Computed> words = compute(row, job, unit, record, worker);
        record.seconds = std::max(std::chrono::duration<double>(Clock::now() - start).count(), record.stages.wall());
        if (stop_() && !words)
            return UnitOutcome{UnitEnd::stopped};
        if (words && words->end)
            return UnitOutcome{*words->end};
        if (words) {
            StageTimes times = record.stages;
            TRY(store(record, words->words, lease, times));
            return UnitOutcome{UnitEnd::finished, record.frames, times};
        }
        if (is_permanent(words.error().code) || tries >= options_.retries)
            return failed(record, row, words.error(), lease);
        warn(options_.log, fmt::format("line {}: {}; trying again", row.line, words.error().message));
    }
}

Result<void> UnitWork::store(const UnitRecord &record, std::span<const std::byte> words, const StoreWriter::Held &lease,
                             StageTimes &times) {
    const StageClock clock(times.finish);
    TRY(store_.finished(record, words, lease));
    const std::lock_guard lock(mutex_);
    finished_.insert(record.key);
    return {};
}

/// Fills in the record.
Result<UnitWork::Computed> UnitWork::compute(const Row &row, const PairJob &job, const Unit &unit, UnitRecord &record,
                                             UnitWorker &worker) {
    UnitDigests digests(inputs_);
    PairJob read = job;
    {
        const StageClock clock(record.stages.decode);
        read = TRY(digests.begin(job, unit.frames));
    }
    if (digests.known(job))
        if (const std::optional<UnitEnd> end = TRY(find_key(digests, row, job, unit, record)))
            return Computed{{}, end};
    Result<std::vector<std::byte>> words = encoded_words(row, read, unit, worker, record);
    if (!digests.known(job) && !stop_()) {
        const StageClock clock(record.stages.decode);
        const Result<void> hashed = digests.finish_hashing(job);
        if (words && !hashed)
            return tl::unexpected(hashed.error());
        if (hashed)
            if (const std::optional<UnitEnd> end = TRY(find_key(digests, row, job, unit, record)))
                return Computed{{}, end};
    }
    Computed computed{TRY(std::move(words))};
    if (TRY(key_of(row, job, unit)) != record.key)
        return fail(ErrorCode::io, "a file changed while it was read");
    return computed;
}

/// Gives the record the unit's key; how the unit ended, where stores say so.
Result<std::optional<UnitEnd>> UnitWork::find_key(UnitDigests &digests, const Row &row, const PairJob &job,
                                                  const Unit &unit, UnitRecord &record) {
    record.key = *TRY(unit_key(digests.source(), job, row, unit.frames));
    TRY(index_.refresh_changed());
    return end_of(record.key);
}

/// No bytes for a segment behind the end of the video.
Result<std::vector<std::byte>> UnitWork::encoded_words(const Row &row, const PairJob &job, const Unit &unit,
                                                       UnitWorker &worker, UnitRecord &record) {
    std::vector<std::byte> words;
    TRY(guarded([&]() -> Result<void> {
        const auto file = TRY(extract(row, job, unit, worker, record));
        if (file) {
            const StageClock clock(record.stages.finish);
            record.frames = file->frame_count;
            words = encode_words(*file);
        }
        return {};
    }));
    return words;
}

Result<std::optional<WordsFile>> UnitWork::extract(const Row &row, const PairJob &job, const Unit &unit,
                                                   UnitWorker &worker, UnitRecord &record) {
    const LogSink log = log_of(row);
    const StagedFiles files = TRY(stage({&job, 1}, record.stages));
    const PairJob read = job_reading(job, files, unit.frames, indexes_);
    Result<UnitExtractor::Extracted> extracted = worker.extractor.extract(
        {record.key, read, unit.frames, *TRY(session_key(hashing(), job, row)), stop_, log}, record.stages);
    if (!extracted) {
        extracted.error().message = files.with_own_paths(extracted.error().message);
        return tl::unexpected(extracted.error());
    }
    record.warnings = std::move(extracted->warnings);
    return std::move(extracted->words);
}

/// Copies of the videos of all jobs, where videos are staged.
Result<StagedFiles> UnitWork::stage(std::span<const PairJob> jobs, StageTimes &times) {
    if (options_.staging == nullptr)
        return StagedFiles();
    const StageClock clock(times.decode);
    std::vector<std::string> paths;
    for (const PairJob &job : jobs)
        for (const VideoSide *const side : {&job.videos.reference, &job.videos.distorted})
            paths.push_back(side->path);
    return options_.staging->take(paths, stop_);
}

LogSink UnitWork::log_of(const Row &row) const {
    return [this, line = row.line](Severity severity, std::string_view sentence) {
        if (options_.log)
            options_.log(severity, fmt::format("line {}: {}", line, sentence));
    };
}

Result<UnitOutcome> UnitWork::failed(UnitRecord record, const Row &row, const Error &error,
                                     const StoreWriter::Held &lease) {
    record.error = hide_names(error.message, folder_.resolve(row.reference), folder_.resolve(row.distorted));
    record.permanent = is_permanent(error.code);
    record.versions = versions_;
    TRY(store_.append(record, lease));
    warn(options_.log, fmt::format("line {} failed: {}", row.line, show_names(record.error, row)));
    return UnitOutcome{record.permanent ? UnitEnd::permanent : UnitEnd::transient};
}

} // namespace isovmaf::batch
