// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Facts of a video that decide how a feature is computed, besides the format of its pictures (docs/adr/0120).
namespace isovmaf {

/// A fact that the default of an option may stand for.
enum class VideoFact : std::uint8_t {
    none,
    frame_rate, ///< frames per second, on average over the video
};

/// What a file states of its video. What a reader made up, such as the rate of raw video, is no fact.
struct VideoFacts {
    std::optional<double> frame_rate = {};

    friend bool operator==(const VideoFacts &, const VideoFacts &) = default;
};

/// The fact, or nothing where it is not stated.
[[nodiscard]] std::optional<double> stated(const VideoFacts &facts, VideoFact fact);

/// What is taken where nobody states the fact: 25 frames per second.
[[nodiscard]] double assumed(VideoFact fact);

/// "frame rate"
[[nodiscard]] std::string_view fact_name(VideoFact fact);

} // namespace isovmaf
