// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit_computer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/guarded.hpp"

namespace isovmaf::batch {

namespace {

/// The keys that the unit's words may have; one, once the digests are settled.
Result<std::vector<std::string>> keys_of(UnitDigests &digests, const UnitInWork &unit) {
    return unit_keys(digests.source(), *unit.job, unit.row, unit.frames);
}

/// The key under which the extractor has the unit's words; empty where it has none.
std::string prepared_key(const std::vector<std::string> &keys, const UnitExtractor &extractor) {
    const auto found = std::ranges::find_if(keys, [&](const std::string &key) { return extractor.has_prepared(key); });
    return found == keys.end() ? std::string() : *found;
}

/// Whether units leave out the same frames of their reference: what is shared is skipped by all alike.
bool begin_alike(const UnitExtractor::Request &a, const UnitExtractor::Request &b) {
    return a.job.videos.pair.skip_reference == b.job.videos.pair.skip_reference;
}

} // namespace

UnitComputer::UnitComputer(StoreIndex &index, Lists &lists, StoreWriter &store, UnitEnds &ends, Options options,
                           std::function<bool()> stop)
    : ends_(ends), options_(std::move(options)), stop_(std::move(stop)), indexes_(stop_),
      inputs_(index, lists, store, options_.fast_keys, stop_, options_.staging) {}

void UnitComputer::prepare(std::span<const UnitInWork *const> units, UnitExtractor &extractor) {
    const UnitInWork &first = *units.front();
    const auto belongs = [&](const UnitInWork &unit) {
        return unit.job && unit.row.reference == first.row.reference && unit.row.options == first.row.options &&
               unit.frames == first.frames;
    };
    UnitDigests digests(inputs_);
    std::vector<UnitExtractor::Request> requests;
    std::vector<const UnitInWork *> members; // of requests
    for (const UnitInWork *const unit : units) {
        if (!belongs(*unit))
            continue;
        Result<PairJob> job = digests.begin(*unit->job, unit->frames);
        const auto session = session_key(hashing(), *unit->job, unit->row);
        if (!job || !session || has_ended(digests, *unit)) // shows again when the unit is worked on
            continue;
        requests.push_back({unit->name, *std::move(job), unit->frames, *session, stop_, log_of(unit->row)});
        members.push_back(unit);
    }
    if (requests.size() <= 1)
        return;
    StageTimes times; // those of a group are not the ones of a unit
    if (const Result<StagedFiles> files = stage(requests, times)) {
        std::vector<UnitExtractor::Request> together;
        for (std::size_t m = 0; m < requests.size(); m++) // a failure shows again when the unit is worked on
            if (settle(*members[m]->job, requests[m]) &&
                (together.empty() || begin_alike(together.front(), requests[m])))
                together.push_back(std::move(requests[m]));
        if (together.size() > 1)
            extractor.prepare(together);
    }
    for (const UnitInWork *const member : members)
        if (extractor.has_prepared(member->name) && digests.finish_hashing(*member->job))
            if (const Result<std::vector<std::string>> keys = keys_of(digests, *member))
                extractor.set_key(member->name, keys->front());
}

/// Whether the unit has an end, as far as its digests are known.
bool UnitComputer::has_ended(UnitDigests &digests, const UnitInWork &unit) {
    const Result<std::vector<std::string>> keys = keys_of(digests, unit);
    return !keys || ends_.of_any(*keys);
}

DigestSource UnitComputer::hashing() {
    return [this](const InputName &input) -> Result<std::vector<std::string>> {
        return std::vector{TRY(inputs_.digest(input))};
    };
}

Result<UnitComputer::Computed> UnitComputer::compute(const UnitInWork &unit, UnitRecord &record,
                                                     UnitExtractor &extractor) {
    const PairJob &job = *unit.job;
    UnitDigests digests(inputs_);
    PairJob read = job;
    {
        const StageClock clock(record.stages.decode);
        read = TRY(digests.begin(job, unit.frames));
    }
    if (const std::optional<UnitEnd> end = TRY(find_key(digests, unit, record)))
        return Computed{.end = end};
    const std::vector<std::string> known = TRY(keys_of(digests, unit));
    if (record.key.empty())
        record.key = prepared_key(known, extractor);
    Result<Computed> computed = extract_encoded(unit, read, extractor, record);
    if (record.key.empty() && !computed && !is_permanent(computed.error().code) && !known.empty())
        record.key = known.front(); // the file may not be readable now
    if (record.key.empty() && !stop_()) {
        const StageClock clock(record.stages.decode);
        const Result<void> hashed = digests.finish_hashing(job);
        if (computed && !hashed)
            return tl::unexpected(hashed.error());
        if (hashed)
            if (const std::optional<UnitEnd> end = TRY(find_key(digests, unit, record)))
                return Computed{.end = end};
    }
    Computed done = TRY(std::move(computed));
    TRY(digests.check_unchanged(job));
    const std::vector<std::string> keys = TRY(keys_of(digests, unit));
    if (std::ranges::find(keys, record.key) == keys.end())
        return fail(ErrorCode::io, "a model file changed while it was read");
    return done;
}

/// How the unit ended, where stores say so. Gives the record the unit's key, once the digests are settled.
Result<std::optional<UnitEnd>> UnitComputer::find_key(UnitDigests &digests, const UnitInWork &unit,
                                                      UnitRecord &record) {
    const std::vector<std::string> keys = TRY(keys_of(digests, unit));
    if (digests.settled(*unit.job))
        record.key = keys.front();
    const std::optional<UnitEnds::Found> found = ends_.of_any(keys);
    return found ? std::optional(found->end) : std::nullopt;
}

/// The words and the pictures of a unit. The record gets what else is known of it.
Result<UnitComputer::Computed> UnitComputer::extract_encoded(const UnitInWork &unit, const PairJob &job,
                                                             UnitExtractor &extractor, UnitRecord &record) {
    return guarded([&]() -> Result<Computed> {
        Computed computed;
        UnitExtractor::Extracted extracted = TRY(extract(unit, job, extractor, record));
        record.warnings = std::move(extracted.warnings);
        record.rate = extracted.rate;
        record.bit_rate = extracted.bit_rate;
        record.start_difference = std::move(extracted.start_difference);
        computed.pictures = std::move(extracted.pictures);
        if (extracted.words) {
            const StageClock clock(record.stages.finish);
            record.frames = extracted.words->frame_count;
            computed.words = encode_words(*extracted.words);
        }
        return computed;
    });
}

Result<UnitExtractor::Extracted> UnitComputer::extract(const UnitInWork &unit, const PairJob &job,
                                                       UnitExtractor &extractor, UnitRecord &record) {
    UnitExtractor::Request request{record.key,      job, unit.frames, TRY(session_key(hashing(), job, unit.row)), stop_,
                                   log_of(unit.row)};
    const StagedFiles files = TRY(stage({&request, 1}, record.stages));
    const Result<void> settled = [&] {
        const StageClock clock(record.stages.decode);
        return settle(job, request);
    }();
    for (const SettledOption &option : request.job.videos.settled)
        if (!option.name.empty())
            record.settled.emplace_back(option.name, option.value);
    Result<UnitExtractor::Extracted> extracted =
        settled ? extractor.extract(request, record.stages)
                : Result<UnitExtractor::Extracted>(tl::unexpected(settled.error()));
    if (!extracted)
        extracted.error().message = files.with_own_paths(extracted.error().message);
    return extracted;
}

/// Decides what a unit leaves open about its videos. `own` has the paths of the row.
Result<void> UnitComputer::settle(const PairJob &own, UnitExtractor::Request &request) {
    if (is_settled(request.job.videos))
        return {};
    const bool lists =
        TRY(inputs_.is_list(own.videos.reference.path)) || TRY(inputs_.is_list(own.videos.distorted.path));
    return settled_.settle(own, request.session_key, !lists, request.job);
}

/// Copies the videos of all jobs, where videos are staged, and lets the jobs read these. Lists are read where they lie:
/// they name other files by their places. Jobs that read only a part of the frames get the indexes.
Result<StagedFiles> UnitComputer::stage(std::span<UnitExtractor::Request> requests, StageTimes &times) {
    const StageClock clock(times.decode);
    std::vector<VideoSide *> sides;
    for (UnitExtractor::Request &request : requests) {
        if (request.frames.first > 0 || request.frames.end)
            request.job.videos.indexes = &indexes_;
        sides.insert(sides.end(), {&request.job.videos.reference, &request.job.videos.distorted});
    }
    if (!options_.staging)
        return StagedFiles();
    std::vector<std::string> paths;
    for (const VideoSide *const side : sides)
        if (!TRY(inputs_.is_list(side->path)))
            paths.push_back(side->path);
    StagedFiles files = TRY(options_.staging->take(paths, stop_));
    for (VideoSide *const side : sides)
        side->path = files.path_of(side->path);
    return files;
}

LogSink UnitComputer::log_of(const Row &row) const {
    return [this, line = row.line](Severity severity, std::string_view sentence) {
        if (options_.log)
            options_.log(severity, fmt::format("line {}: {}", line, sentence));
    };
}

} // namespace isovmaf::batch
