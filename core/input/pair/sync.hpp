// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/source.hpp"
#include "input/source_info.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

/// Which frames of two videos belong together, and what the files say about that.
namespace isovmaf {

enum class SyncMode : std::uint8_t {
    index,        ///< frame n of one video with frame n of the other
    pts,          ///< by presentation time, counted from the first frame of each video
    pts_absolute, ///< by presentation time as the files state it
    automatic,    ///< pts when both videos have rates, and these differ or are variable, but for Retiming; else index
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
    /// Frames whose times differ by no more than this can be a pair; pairing_tolerance if not given.
    std::optional<double> tolerance_seconds = {};
};

/// How frames were paired, and which found no partner. Frames are numbered as in their files, from 0.
struct SyncResult {
    SyncMode mode = SyncMode::index;      ///< never automatic
    double tolerance_seconds = 0;         ///< 0 with SyncMode::index
    std::vector<std::int64_t> dropped{};  ///< frames of the reference that the distorted video has no frame for
    std::vector<std::int64_t> repeated{}; ///< frames of the distorted video that the reference has no frame for
};

/// Whether both videos have an average rate and the rates differ by more than 0.05 %. Film at 24 frames per second
/// differs from 24000/1001; rates that a container rounds do not. A variable rate differs from a constant one, and from
/// a variable one if their averages differ by more than 5 %.
[[nodiscard]] bool rates_differ(const SourceInfo &reference, const SourceInfo &distorted);

/// Whether one of two videos with different rates seems to be the other one played faster, as film at 24 frames per
/// second is on television at 25: then frame n belongs to frame n.
enum class Retiming : std::uint8_t {
    none,
    certain, ///< both state about the same number of frames, and durations that differ as the rates do
    assumed, ///< one of them states neither
};

/// Rates have to be constant, and no more than 5 % apart.
[[nodiscard]] Retiming find_retiming(const SourceInfo &reference, const SourceInfo &distorted);

/// Resolves `mode` for these videos: SyncMode::automatic becomes pts or index.
[[nodiscard]] SyncMode resolve_sync(SyncMode mode, const SourceInfo &reference, const SourceInfo &distorted);

/// Half the shorter frame duration of both videos, in seconds; nothing when neither states a rate.
[[nodiscard]] std::optional<double> half_frame_seconds(const SourceInfo &reference, const SourceInfo &distorted);

/// Times that differ by no more than this are taken for equal: Matroska and FLV round times to milliseconds. 1 ms, but
/// never more than a quarter of half a frame.
[[nodiscard]] double rounding_seconds(double half_frame_seconds);

/// By how much the times of a pair differ at most unless the user says: half the shorter frame duration and the
/// rounding of times, so that a frame in the middle between two frames has a partner.
[[nodiscard]] std::optional<double> pairing_tolerance(const SourceInfo &reference, const SourceInfo &distorted);

/// A sentence about videos that are paired by number, because one is certainly a retimed copy of the other; else empty.
[[nodiscard]] std::string retiming_note(const SourceInfo &reference, const SourceInfo &distorted, SyncMode mode);

/// A sentence about rates that differ otherwise, if `mode` does not pair by time anyway; else empty.
[[nodiscard]] std::string rate_difference(const SourceInfo &reference, const SourceInfo &distorted, SyncMode mode);

/// A sentence about start times that differ by more than half a frame; empty where `mode` heeds them. Containers shift
/// the times of a video, for its sound or always: the difference says something only if the pictures agree with it.
[[nodiscard]] std::string start_difference(const SourceInfo &reference, const SourceInfo &distorted, SyncMode mode);

/// Pairs frames of two videos by presentation time. Two frames become a pair when their times differ by no more than
/// the tolerance, and neither has a nearer partner in the frame after the other. Of two frames that are equally near,
/// but for the rounding of times, the first is taken. Each frame is in at most one pair.
class TimePairing {
  public:
    /// Reads one video's next frame, or nothing at its end.
    using Reader = std::function<Result<std::optional<Frame>>()>;

    struct Video {
        std::string name; ///< in sentences
        Reader read;
    };

    /// `absolute`: times are compared as they are; else each video's times count from its first frame.
    /// `rounding`: see rounding_seconds.
    TimePairing(Video reference, Video distorted, double tolerance_seconds, double rounding, bool absolute);

    /// `watcher` sees each frame that is passed over without a partner, and whether it is of the reference.
    using Watcher = std::function<void(bool of_reference, const Frame &)>;
    void watch(Watcher watcher) { watcher_ = std::move(watcher); }

    /// The next pair, or nothing when one video is at its end. A frame without a time, or one that is not later than
    /// the frame before it, is an error.
    [[nodiscard]] Result<std::optional<FramePair>> next();

    /// Frames of the reference and of the distorted video, counted from 0, that were passed over without a partner.
    [[nodiscard]] const std::vector<std::int64_t> &unpaired_reference() const { return sides_[0].unpaired; }
    [[nodiscard]] const std::vector<std::int64_t> &unpaired_distorted() const { return sides_[1].unpaired; }

    /// After the end: by how many seconds one video goes on after the other's last frame; 0 when both are at their end.
    /// Reads on until that is more than `enough`, or until the video ends. The frames that it reads are in no list.
    [[nodiscard]] Result<double> seconds_left(double enough);
    [[nodiscard]] bool reference_ended() const { return sides_[0].ended; }
    /// How many frames of the video that goes on were read.
    [[nodiscard]] std::int64_t longer_frames() const { return sides_[sides_[0].ended ? 1 : 0].frames; }

  private:
    /// One video: its current frame and the one after it.
    struct State {
        Video video;
        std::optional<Frame> current = {};
        std::optional<Frame> after = {};
        std::optional<double> first_seconds = {};
        double last_seconds = 0; ///< of the frame that was read last
        std::int64_t frames = 0; ///< that were read
        bool ended = false;      ///< there is no current frame
        std::vector<std::int64_t> unpaired = {};
    };

    [[nodiscard]] static double time_of(const State &state, const Frame &frame);
    Result<std::optional<Frame>> read(State &state) const;
    Result<void> advance(State &state) const;
    Result<void> pass_over(State &state) const;
    Result<bool> pass_over_one();
    Result<void> start();

    std::array<State, 2> sides_;
    Watcher watcher_;
    double tolerance_;
    double rounding_;
    bool absolute_;
    bool started_ = false;
};

} // namespace isovmaf
