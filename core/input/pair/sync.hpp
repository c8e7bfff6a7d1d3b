// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/source_info.hpp"
#include "isovmaf/result.hpp"

/// Which frames of two videos belong together, and what the files say about that.
namespace isovmaf {

enum class SyncMode : std::uint8_t {
    index,        ///< frame n of one video with frame n of the other
    pts,          ///< by presentation time, counted from the first frame of each video
    pts_absolute, ///< by presentation time as the files state it
    automatic,    ///< pts when both files state their rates and the rates differ, else index
};

inline constexpr std::array<std::pair<std::string_view, SyncMode>, 4> sync_modes{{
    {"auto", SyncMode::automatic},
    {"index", SyncMode::index},
    {"pts", SyncMode::pts},
    {"pts-absolute", SyncMode::pts_absolute},
}};

/// "pts-absolute"
[[nodiscard]] std::string_view sync_mode_name(SyncMode mode);

struct SyncOptions {
    SyncMode mode = SyncMode::index;
    /// Frames whose times differ by no more than this can be a pair; half the shorter frame duration if not given.
    std::optional<double> tolerance_seconds = {};
};

/// How frames were paired, and which found no partner. Frames are numbered as in their files, from 0.
struct SyncResult {
    SyncMode mode = SyncMode::index;      ///< never automatic
    double tolerance_seconds = 0;         ///< 0 with SyncMode::index
    std::vector<std::int64_t> dropped{};  ///< frames of the reference that the distorted video has no frame for
    std::vector<std::int64_t> repeated{}; ///< frames of the distorted video that the reference has no frame for
};

/// Whether both videos state an average rate and the rates differ by more than 0.05 %. Film at 24 frames per second
/// differs from 24000/1001; rates that a container rounds do not.
[[nodiscard]] bool rates_differ(const SourceInfo &reference, const SourceInfo &distorted);

/// Resolves `mode` for these videos: SyncMode::automatic becomes pts or index.
[[nodiscard]] SyncMode resolve_sync(SyncMode mode, const SourceInfo &reference, const SourceInfo &distorted);

/// Half the shorter frame duration of both videos, in seconds; nothing when neither states a rate.
[[nodiscard]] std::optional<double> half_frame_seconds(const SourceInfo &reference, const SourceInfo &distorted);

/// One sentence for each difference of rates and start times that can make pairs by `mode` wrong.
[[nodiscard]] std::vector<std::string> timing_differences(const SourceInfo &reference, const SourceInfo &distorted,
                                                          SyncMode mode);

} // namespace isovmaf
