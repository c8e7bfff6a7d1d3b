// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "run/videos.hpp"

/// Where a pair of videos is cut into parts (docs/adr/0092).
namespace isovmaf {

/// Frames of a part, at least: to begin one costs a seek in both files, and a device that runs empty.
inline constexpr std::int64_t least_part_frames = 64;

/// Frames that are dealt at a time, at most. The words of later frames wait in memory for those of earlier ones, and an
/// interruption loses them.
inline constexpr std::int64_t most_part_frames = 1024;

/// How a pair of videos can be cut.
struct PartPlan {
    std::int64_t frames = 0; ///< of the pair, as the files state or their indexes say
    /// The frames that a part may begin with, ascending, beside 0; nothing: any.
    std::optional<std::vector<std::int64_t>> starts = {};
    std::int64_t least_frames = least_part_frames;
    std::int64_t most_frames = most_part_frames;

    /// The start that is nearest to `wanted` and leaves at least `least_frames` frames on both sides, from `first` on
    /// and up to `end`; nothing where there is none.
    [[nodiscard]] std::optional<std::int64_t> border_near(std::int64_t wanted, std::int64_t first,
                                                          std::int64_t end) const;

    /// How many workers can have a part at a time, of `workers`.
    [[nodiscard]] std::size_t usable_workers(std::size_t workers) const;
};

/// The plan for videos that are not cut: one worker has all frames, however many there are.
[[nodiscard]] PartPlan uncut_plan();

/// Fails with `unsupported` when a pair cannot be read in parts, as far as that is seen without reading the files: the
/// sentence says why.
[[nodiscard]] Result<void> check_parts(const VideoRequest &request, const OpenedVideos &opened);

/// The same of the first packets of coded files, for two videos that passed check_parts: the index of a whole file may
/// show more.
[[nodiscard]] Result<void> check_starts(const VideoRequest &request, const OpenedVideos &opened);

/// Whether a video is neither raw nor Y4M.
[[nodiscard]] bool is_coded(const SourceInfo &video);

/// Whether a file has to be read for the plan.
[[nodiscard]] bool has_coded_side(const OpenedVideos &opened);

/// The plan for two videos that passed check_parts. Parts of coded files begin where both, or at least the one with
/// fewer key frames, can be decoded from a key frame on. Builds the indexes of coded files, which the request has.
/// Fails with `unsupported` when an index shows that a file cannot be read in parts. Does not use OpenedVideos::pairs.
/// `part_frames`: how many frames are dealt at a time, which may be fewer than a part has else; 0 to choose.
[[nodiscard]] Result<PartPlan> plan_parts(const VideoRequest &request, const OpenedVideos &opened,
                                          std::int64_t part_frames);

} // namespace isovmaf
