// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "input/source.hpp"
#include "isovmaf/frame.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Pairs frames of two videos by presentation time. Two frames become a pair when their times differ by no more than
/// the tolerance, and neither has a nearer partner in the frame after the other. Each frame is in at most one pair.
class TimePairing {
  public:
    /// Reads one video's next frame, or nothing at its end.
    using Reader = std::function<Result<std::optional<Frame>>()>;

    struct Video {
        std::string name; ///< in sentences
        Reader read;
    };

    /// `absolute`: times are compared as they are; else each video's times count from its first frame.
    TimePairing(Video reference, Video distorted, double tolerance_seconds, bool absolute);

    /// The next pair, or nothing when one video is at its end. A frame without a time, or one that is not later than
    /// the frame before it, is an error.
    [[nodiscard]] Result<std::optional<FramePair>> next();

    /// Frames of the reference and of the distorted video, counted from 0, that were passed over without a partner.
    [[nodiscard]] const std::vector<std::int64_t> &unpaired_reference() const { return sides_[0].unpaired; }
    [[nodiscard]] const std::vector<std::int64_t> &unpaired_distorted() const { return sides_[1].unpaired; }

    /// After the end: by how many seconds one video goes on after the other's last frame; 0 when both are at their end.
    /// Only one frame of the video that goes on is known.
    [[nodiscard]] double seconds_left() const;
    [[nodiscard]] bool reference_ended() const { return sides_[0].ended; }

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
    double tolerance_;
    bool absolute_;
    bool started_ = false;
};

} // namespace isovmaf
