// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/hashes.hpp"
#include "base/try.hpp"
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
    for (std::size_t i = 0; i < rows.size(); i++) {
        const Row row = TRY(rows.row(i));
        if (!row.problem.empty())
            continue;
        const std::uint64_t group = group_of(row);
        const auto add = [&](const FrameRange &frames) {
            units.push_back({i, frames, hash_of(to_json(frames).dump(), group)});
        };
        std::int64_t first = 0;
        if (segment_frames > 0)
            for (; row.frames && first + segment_frames < *row.frames; first += segment_frames)
                add({first, first + segment_frames});
        add({first, std::nullopt});
    }
    return units;
}

std::string unit_name(const Row &row, const FrameRange &frames) {
    return digest_of({row.reference, row.distorted, row.options, to_json(frames)});
}

double input_bytes(const PairJob &job, const Row &row, const FrameRange &frames) {
    double bytes = 0;
    for (const std::string &path : {job.videos.reference.path, job.videos.distorted.path}) {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(path, error);
        bytes += error ? 0 : static_cast<double>(size);
    }
    if (!row.frames || *row.frames <= 0)
        return bytes;
    const std::int64_t end = std::max(frames.end.value_or(*row.frames), frames.first);
    return bytes * static_cast<double>(end - frames.first) / static_cast<double>(*row.frames);
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
    videos.pair.skip_reference += first;
    videos.pair.skip_distorted += first;
    if (videos.pair.frame_count)
        *videos.pair.frame_count -= first;
    videos.chroma_readers = chroma_readers_of(job.scoring);
    return videos;
}

} // namespace isovmaf::batch
