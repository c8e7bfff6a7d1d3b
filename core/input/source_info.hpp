// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "input/colour.hpp"
#include "input/rational.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// What a file says about the times of its frames. Raw video knows the stated rate only.
struct SourceTiming {
    std::optional<Rational> average_rate; ///< frames per second over the whole video
    std::optional<Rational> base_rate;    ///< the lowest rate at which all frames have whole numbers
    std::optional<Rational> time_base;    ///< seconds per unit of the presentation times
    std::optional<double> start_seconds;  ///< presentation time of the first frame
    std::optional<double> duration_seconds;

    /// Presentation time of a frame of video with a constant rate that starts at 0; nothing without a rate.
    [[nodiscard]] std::optional<double> seconds_of(std::int64_t frame) const {
        return average_rate ? std::optional(static_cast<double>(frame) / average_rate->value()) : std::nullopt;
    }
};

/// One conversion of a video's samples.
struct Conversion {
    std::string what; ///< in words
    /// The ffmpeg filters with the same result, "" when ffmpeg needs none; nothing when it has none.
    std::optional<std::string> filter = {};

    friend bool operator==(const Conversion &, const Conversion &) = default;
};

/// "WHAT, as ffmpeg -vf FILTER"
[[nodiscard]] std::string conversion_text(const Conversion &conversion);

/// Facts about a video that are known before its first frame is read.
struct SourceInfo {
    VideoFormat format;
    std::string name;                             ///< as the user gave it; "-" is standard input
    std::string container;                        ///< "y4m", "raw", or libavformat's name such as "matroska,webm"
    std::string codec;                            ///< "rawvideo", or libavcodec's name such as "ffv1"
    std::optional<std::int64_t> frame_count = {}; ///< when the file states it; an estimate, for progress only
    SourceTiming timing = {};
    ColourDescription colour = {};
    bool matrix_assumed = false; ///< that of `colour`: see ConversionTarget
    std::string stored_pixels =
        {}; ///< libav's name of the pixel format in the file: "yuv420p", "rgb24"; empty for Y4M and raw video
    std::string planar_filter = {}; ///< of ffmpeg, with which samples are planar; empty when they are stored so
    std::vector<Conversion> conversions = {}; ///< of the samples, in order
    int stream = 0;                           ///< among the file's video streams
    int video_streams = 1;                    ///< of the file, without covers
};

/// A video's name in sentences: its path, or "standard input".
[[nodiscard]] inline std::string display_name(const std::string &path) {
    return path == "-" ? "standard input" : escape_controls(path);
}

} // namespace isovmaf
