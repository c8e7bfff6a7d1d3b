// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/hashes.hpp"
#include "base/try.hpp"
#include "batch/store/run_folder.hpp"
#include "engine/plan/bind_models.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::size_t digest_digits = 40; ///< of names and keys: 160 bits

std::string digest_of(const nlohmann::json &json) {
    const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    Sha256 hash;
    hash.add(std::as_bytes(std::span(text)));
    return std::move(hash).hex().substr(0, digest_digits);
}

nlohmann::json to_json(const FrameRange &frames) {
    return {frames.first, frames.end ? nlohmann::json(*frames.end) : nlohmann::json()};
}

std::vector<InputName> model_files(const PairJob &job) {
    std::vector<InputName> files;
    for (const ModelRequest &model : job.scoring.models)
        if (!model.path.empty())
            files.push_back({model.path});
    return files;
}

InputName input_of(const VideoSide &side) { return {side.path, true, side.stream}; }

std::vector<InputName> videos_of(const PairJob &job) {
    return {input_of(job.videos.reference), input_of(job.videos.distorted)};
}

/// The digests of the first file, each followed by those of the second one, and so on: all choices.
Result<std::vector<nlohmann::json>> choices_of(const std::vector<InputName> &files, const DigestSource &digests) {
    std::vector<nlohmann::json> choices{nlohmann::json()};
    for (const InputName &file : files) {
        const std::vector<std::string> of_file = TRY(digests(file));
        std::vector<nlohmann::json> longer;
        for (const nlohmann::json &choice : choices)
            for (const std::string &digest : of_file)
                longer.emplace_back(choice).push_back(digest);
        choices = std::move(longer);
    }
    return choices;
}

std::uint64_t hash_of(const std::string &text, std::uint64_t seed) {
    return xxh64(std::as_bytes(std::span(text)), seed);
}

/// A hash of what the rows of a group have in common.
std::uint64_t group_of(const Row &row) {
    std::uint64_t hash = hash_of(row.reference, 0);
    for (const auto &[name, values] : row.options) {
        hash = hash_of(name, hash);
        for (const std::string &value : values)
            hash = hash_of(value, hash);
    }
    return hash;
}

} // namespace

Result<std::vector<Unit>> plan_units(const RowTable &rows, std::int64_t segment_frames) {
    std::vector<Unit> units;
    TRY(rows.visit([&](std::size_t i, const Row &row) -> Result<void> {
        if (!row.problem.empty())
            return {};
        const std::uint64_t group = group_of(row);
        std::int64_t segment = 0;
        const auto add = [&](const FrameRange &frames) {
            if (row.segments.empty() || std::ranges::find(row.segments, segment) != row.segments.end())
                units.push_back({i, frames, hash_of(to_json(frames).dump(), group)});
            segment++;
        };
        std::int64_t first = 0;
        if (segment_frames > 0)
            for (; row.frames && first + segment_frames < *row.frames; first += segment_frames)
                add({first, first + segment_frames});
        add({first, std::nullopt});
        return {};
    }));
    return units;
}

std::string unit_name(const Row &row, const FrameRange &frames) {
    return digest_of({row.reference, row.distorted, row.options, to_json(frames)});
}

Result<std::vector<std::string>> unit_keys(const DigestSource &digests, const PairJob &job, const Row &row,
                                           const FrameRange &frames) {
    std::vector<InputName> files = videos_of(job);
    for (InputName &file : model_files(job))
        files.push_back(std::move(file));
    std::vector<std::string> keys;
    for (const nlohmann::json &choice : TRY(choices_of(files, digests)))
        keys.push_back(digest_of({choice, row.options, std::string(version()), to_json(frames)}));
    return keys;
}

Result<std::string> session_key(const DigestSource &digests, const PairJob &job, const Row &row) {
    const std::vector<nlohmann::json> choices = TRY(choices_of(model_files(job), digests));
    return nlohmann::json{choices.front(), row.options}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

VideoRequest videos_from(const PairJob &job, std::int64_t first) {
    VideoRequest videos = job.videos;
    videos.pair.first_pair = first;
    videos.readers = readers_of(job.scoring);
    return videos;
}

namespace {

Result<PairJob> parse_options(const Fields &options) { return parse_request(TRY(read_request_options(options))); }

} // namespace

Result<PairJob> RowJobs::parsed(const Fields &options) {
    constexpr std::size_t most_remembered = 4096;
    const std::lock_guard lock(mutex_);
    if (const auto known = jobs_.find(options); known != jobs_.end())
        return known->second;
    if (jobs_.size() >= most_remembered)
        jobs_.clear();
    return jobs_.emplace(options, parse_options(options)).first->second;
}

Result<PairJob> RowJobs::make(const Row &row, const ExecutionOptions &execution) {
    PairJob job = TRY(parsed(row.options));
    job.videos.reference.path = resolve_video(base_, row.reference);
    job.videos.distorted.path = resolve_video(base_, row.distorted);
    job.execution = execution;
    return job;
}

Result<PairJob> UnitDigests::begin(PairJob job, const FrameRange &frames) {
    // One file may be read in two ways; the first reader is the one whose frames are hashed.
    const bool one_file = job.videos.reference.path == job.videos.distorted.path;
    const bool hashes_frames = frames.first == 0 && !frames.end && !one_file;
    for (VideoSide *const side : {&job.videos.reference, &job.videos.distorted}) {
        const InputName input = input_of(*side);
        if (!videos_.contains(input)) {
            Inputs::Reading reading;
            if (hashes_frames)
                reading = TRY(inputs_.begin_reading(input));
            else {
                reading.seen = TRY(look_at(input.path));
                reading.digests = {TRY(inputs_.digest(input))};
            }
            std::string settled = reading.settled();
            videos_.emplace(input, Video{std::move(reading), std::move(settled)});
        }
        side->content = videos_.at(input).reading.content;
    }
    return job;
}

bool UnitDigests::settled(const PairJob &job) const {
    for (const InputName &input : videos_of(job))
        if (videos_.at(input).digest.empty())
            return false;
    return true;
}

Result<void> UnitDigests::finish_hashing(const PairJob &job) {
    for (const InputName &input : videos_of(job)) {
        Video &video = videos_.at(input);
        if (!video.digest.empty())
            continue;
        if (std::exchange(video.failed, true)) // before
            return fail(ErrorCode::io, fmt::format("{} could not be hashed while it was read", input.path));
        video.digest = TRY(inputs_.end_reading(video.reading));
        video.failed = false;
    }
    return {};
}

Result<void> UnitDigests::check_unchanged(const PairJob &job) const {
    for (const InputName &input : videos_of(job))
        if (!looks_like(TRY(look_at(input.path)), videos_.at(input).reading.seen))
            return fail(ErrorCode::io, fmt::format("{} changed while it was read", input.path));
    return {};
}

DigestSource UnitDigests::source() {
    return [this](const InputName &input) -> Result<std::vector<std::string>> {
        const auto video = videos_.find(input);
        if (video == videos_.end())
            return std::vector{TRY(inputs_.digest(input))};
        return video->second.digest.empty() ? video->second.reading.digests : std::vector{video->second.digest};
    };
}

} // namespace isovmaf::batch
