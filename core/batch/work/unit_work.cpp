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
#include "batch/store/process_name.hpp"
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

constexpr int most_processes = 3; ///< that try a unit which fails for a reason that may be of the moment

Error killed_twice() {
    return {ErrorCode::internal,
            "the process died twice while it scored this pair, the second time with nothing else in work: the pair "
            "needs more memory than there is, or makes a decoder or driver crash; --retry-failed tries it again"};
}

} // namespace

bool is_permanent(ErrorCode code) {
    const ErrorOrigin origin = origin_of(code);
    return origin == ErrorOrigin::input || origin == ErrorOrigin::options;
}

UnitWork::UnitWork(Run &run, UnitWorkOptions options, std::function<bool()> stop, StoreWriter &store)
    : run_(run), index_(*run.index), options_(std::move(options)), stop_(std::move(stop)),
      versions_(fmt::format("isovmaf {}, {}", version(), decoder_versions())), store_(store), indexes_(stop_),
      jobs_(run.folder.settings().base), inputs_(index_, store, options_.fast_keys, stop_, options_.staging) {}

class UnitWork::Claim {
  public:
    Claim(std::optional<UnitLocks> &locks, std::size_t number, const Unit &of, Row at, Result<PairJob> parsed)
        : unit(of), row(std::move(at)), job(std::move(parsed)), name(unit_name(row, unit.frames)), locks_(locks),
          number_(number) {}
    ~Claim() {
        if (locks_)
            locks_->give_back(number_, recorded);
    }
    Claim(const Claim &) = delete;
    Claim &operator=(const Claim &) = delete;

    const Unit unit;
    const Row row;
    const Result<PairJob> job;
    const std::string name;
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
    TRY(worker.extractor.open_device(worker.execution));
    if (task.alone) // should it kill the process, nothing else is lost
        TRY(store_.flush());
    TRY(begin(claims, task.alone));
    if (claims.size() > 1)
        TRY(prepare(claims, worker));
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
    const auto end_known = [&] { return job ? known_end(row, *job, unit) : std::nullopt; };
    if (const std::optional<UnitEnd> end = end_known())
        return end;
    if (run_.locks && !TRY(run_.locks->take(number)))
        return UnitEnd::busy;
    auto claim = std::make_shared<Claim>(run_.locks, number, unit, row, job);
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
std::optional<UnitEnd> UnitWork::known_end(const Row &row, const PairJob &job, const Unit &unit) {
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
    if (options_.retry_failed)
        return std::nullopt;
    if (index_.fails_with(key, versions_))
        return UnitEnd::permanent;
    return index_.transient_failures(key) >= most_processes ? std::optional(UnitEnd::transient) : std::nullopt;
}

DigestSource UnitWork::hashing() {
    return [this](const std::string &path) -> Result<std::optional<std::string>> { return TRY(inputs_.digest(path)); };
}

Result<std::string> UnitWork::key_of(const Row &row, const PairJob &job, const Unit &unit) {
    return *TRY(unit_key(hashing(), job, row, unit.frames));
}

/// Does a unit. The store ends the claim when the unit's record is on disk.
Result<UnitOutcome> UnitWork::work_on(const std::shared_ptr<Claim> &claim, UnitWorker &worker) {
    for (int tries = 0;; tries++) {
        UnitRecord record{claim->name, {}};
        const Clock::time_point start = Clock::now();
        const Result<Computed> words = compute(claim->row, *claim->job, claim->unit, record, worker);
        record.seconds = std::max(std::chrono::duration<double>(Clock::now() - start).count(), record.stages.wall());
        if (stop_() && !words)
            return UnitOutcome{UnitEnd::stopped};
        if (words && words->end)
            return UnitOutcome{*words->end};
        if (words) {
            StageTimes times = record.stages;
            TRY(store(record, words->words, claim, times));
            return UnitOutcome{UnitEnd::finished, record.frames, times};
        }
        if (is_permanent(words.error().code) || tries >= options_.retries)
            return failed(record, words.error(), claim);
        warn(options_.log, fmt::format("line {}: {}; trying again", claim->row.line, words.error().message));
    }
}

Result<void> UnitWork::store(const UnitRecord &record, std::span<const std::byte> words,
                             const std::shared_ptr<Claim> &claim, StageTimes &times) {
    const StageClock clock(times.finish);
    claim->recorded = true;
    TRY(store_.finished(record, words, claim));
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

Result<UnitOutcome> UnitWork::failed(UnitRecord record, const Error &error, const std::shared_ptr<Claim> &claim) {
    const Row &row = claim->row;
    record.error = hide_names(error.message, run_.folder.resolve(row.reference), run_.folder.resolve(row.distorted));
    record.permanent = is_permanent(error.code);
    record.versions = versions_;
    record.host = host_name();
    claim->recorded = true;
    TRY(store_.append(record, claim));
    warn(options_.log, fmt::format("line {} failed: {}", row.line, show_names(record.error, row)));
    return UnitOutcome{record.permanent ? UnitEnd::permanent : UnitEnd::transient};
}

} // namespace isovmaf::batch
