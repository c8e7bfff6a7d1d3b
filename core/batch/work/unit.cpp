// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit.hpp"

#include <algorithm>
#include <array>
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

std::vector<std::string> model_files(const PairJob &job) {
    std::vector<std::string> files;
    for (const ModelRequest &model : job.scoring.models)
        if (!model.path.empty())
            files.push_back(model.path);
    return files;
}

/// In the order of the files; nothing when one is not known.
Result<std::optional<nlohmann::json>> digests_of(const std::vector<std::string> &files, const DigestSource &digest) {
    nlohmann::json digests;
    for (const std::string &file : files) {
        std::optional<std::string> known = TRY(digest(file));
        if (!known)
            return std::nullopt;
        digests.push_back(*std::move(known));
    }
    return digests;
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

Result<std::optional<std::string>> unit_key(const DigestSource &digest, const PairJob &job, const Row &row,
                                            const FrameRange &frames) {
    std::vector<std::string> files{job.videos.reference.path, job.videos.distorted.path};
    for (std::string &file : model_files(job))
        files.push_back(std::move(file));
    const std::optional<nlohmann::json> digests = TRY(digests_of(files, digest));
    if (!digests)
        return std::nullopt;
    return digest_of({*digests, row.options, std::string(version()), to_json(frames)});
}

Result<std::optional<std::string>> session_key(const DigestSource &digest, const PairJob &job, const Row &row) {
    const std::optional<nlohmann::json> digests = TRY(digests_of(model_files(job), digest));
    if (!digests)
        return std::nullopt;
    return nlohmann::json{*digests, row.options}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::int64_t first_opened_frame(const FrameRange &frames) {
    return std::max<std::int64_t>(0, frames.first - max_lead_in);
}

VideoRequest videos_from(const PairJob &job, std::int64_t first) {
    VideoRequest videos = job.videos;
    videos.pair.first_pair = first;
    videos.chroma_readers = chroma_readers_of(job.scoring);
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

namespace {

std::array<std::string, 2> paths_of(const PairJob &job) {
    return {job.videos.reference.path, job.videos.distorted.path};
}

} // namespace

Result<PairJob> UnitDigests::begin(PairJob job, const FrameRange &frames) {
    const bool whole = frames.first == 0 && !frames.end;
    for (VideoSide *const side : {&job.videos.reference, &job.videos.distorted}) {
        if (!videos_.contains(side->path)) {
            Video video;
            if (whole) {
                auto begun = TRY(inputs_.begin_reading(side->path));
                if (auto *const reading = std::get_if<Inputs::Reading>(&begun))
                    video.reading = std::move(*reading);
                else
                    video.digest = std::get<std::string>(std::move(begun));
            } else
                video.digest = TRY(inputs_.digest(side->path));
            videos_.emplace(side->path, std::move(video));
        }
        if (const auto &reading = videos_.at(side->path).reading)
            side->content = reading->content;
    }
    return job;
}

bool UnitDigests::known(const PairJob &job) const {
    for (const std::string &path : paths_of(job))
        if (videos_.at(path).digest.empty())
            return false;
    return true;
}

Result<void> UnitDigests::finish_hashing(const PairJob &job) {
    for (const std::string &path : paths_of(job)) {
        Video &video = videos_.at(path);
        if (!video.digest.empty())
            continue;
        if (!video.reading) // this failed before
            return fail(ErrorCode::io, fmt::format("{} could not be hashed while it was read", path));
        const Inputs::Reading reading = *video.reading;
        video.reading.reset();
        video.digest = TRY(inputs_.end_reading(reading));
    }
    return {};
}

DigestSource UnitDigests::source() {
    return [this](const std::string &path) -> Result<std::optional<std::string>> {
        const auto video = videos_.find(path);
        if (video != videos_.end() && !video->second.digest.empty())
            return video->second.digest;
        return TRY(inputs_.digest(path));
    };
}

} // namespace isovmaf::batch
