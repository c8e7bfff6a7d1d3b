// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// A ratio of two integers: 30000/1001 frames per second, or 16:15 for the shape of a sample.
struct Rational {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1; ///< above 0

    [[nodiscard]] double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }

    /// Whether both are the same number: 2/4 is 1/2.
    friend bool operator==(const Rational &a, const Rational &b) {
        return a.numerator * b.denominator == b.numerator * a.denominator;
    }
};

/// "16:15"
[[nodiscard]] std::string aspect_text(const Rational &ratio);

/// "30000/1001", or "25" when the denominator is 1.
[[nodiscard]] std::string rational_text(const Rational &ratio);

/// What a file says about how its samples become a picture. Texts are empty, and ratios missing, where the file does
/// not say. Names of matrix, primaries, transfer and chroma location are those of libav: "bt709", "smpte2084", "left".
struct ColourDescription {
    std::string range;  ///< "limited" or "full"
    std::string matrix; ///< from R'G'B' to Y'CbCr; "gbr" when the samples are R'G'B'
    std::string primaries;
    std::string transfer;
    std::string chroma_location;                 ///< of subsampled chroma
    std::optional<Rational> sample_aspect_ratio; ///< width of a sample : its height
    int rotation = 0;                            ///< degrees, clockwise, that a player turns the picture by: 0 to 359
    bool mirrored = false;                       ///< a player also mirrors the picture
    /// Of a video whose samples are HDR by what its Dolby Vision configuration says: "profile 5". Else empty.
    std::string dolby_vision = {};
    std::string field_order; ///< "progressive", or "top field first", "bottom field first" or "mixed": interlaced

    [[nodiscard]] bool interlaced() const { return !field_order.empty() && field_order != "progressive"; }

    friend bool operator==(const ColourDescription &, const ColourDescription &) = default;
};

/// What a frame says about its colours, where that is not what its video began with.
struct ColourChange {
    ColourDescription colour; ///< where the frame says nothing: as the video began
    /// "colour range from limited to full": the samples were converted as those that the video began with. Or empty.
    std::string conflict = {};
};

/// Null: the frame says what the video began with, or nothing. Frames that say the same share it.
using ColourChangeHandle = std::shared_ptr<const ColourChange>;

/// "90 degrees", "180 degrees, mirrored", "none"
[[nodiscard]] std::string rotation_text(const ColourDescription &colour);

/// All fields by their names in reports; texts of fields that are not specified are empty. Dolby Vision is there only
/// where a file has it.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> colour_fields(const ColourDescription &colour);

/// What a file says about the times of its frames. Raw video knows the stated rate only.
struct SourceTiming {
    std::optional<Rational> average_rate; ///< frames per second over the whole video
    std::optional<Rational> base_rate;    ///< the lowest rate at which all frames have whole numbers
    std::optional<Rational> time_base;    ///< seconds per unit of the presentation times
    std::optional<double> start_seconds;  ///< presentation time of the first frame
    std::optional<double> duration_seconds;
    /// The first frames come at varying distances, whatever the file says; `average_rate` is that of these frames.
    bool variable = false;

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

/// What SourceInfo::film_grain says.
inline constexpr const char *film_grain_applied = "applied", *film_grain_left_out = "left out";

/// Facts about a video that are known before its first frame is read.
struct SourceInfo {
    VideoFormat format;
    std::string name;                             ///< as the user gave it; "-" is standard input
    std::string container;                        ///< "y4m", "raw", or libavformat's name such as "matroska,webm"
    std::string codec;                            ///< "rawvideo", or libavcodec's name such as "ffv1"
    std::optional<std::int64_t> frame_count = {}; ///< when the file states it; an estimate
    SourceTiming timing = {};
    ColourDescription colour = {};
    bool matrix_assumed = false; ///< that of `colour`: see ConversionTarget
    std::string decoder = {};    ///< a device that decodes the video, and how that was checked; empty: software
    std::string film_grain = {}; ///< of coded video: film_grain_applied, film_grain_left_out; empty: it has none
    std::string stored_pixels =
        {}; ///< libav's name of the pixel format in the file: "yuv420p", "rgb24"; empty for Y4M and raw video
    std::string planar_filter = {}; ///< of ffmpeg, with which samples are planar; empty when they are stored so
    std::vector<Conversion> conversions = {}; ///< of the samples, in order
    std::string sample_doubt = {};            ///< why the samples seem to be read wrongly; empty: they do not
    int stream = 0;                           ///< among the file's video streams
    int video_streams = 1;                    ///< of the file, without covers
};

/// A video's name in sentences: its path, or "standard input".
[[nodiscard]] inline std::string display_name(const std::string &path) {
    return path == "-" ? "standard input" : escape_controls(path);
}

/// The target of the conversion of samples that features cannot read.
struct ConversionTarget {
    VideoFormat format;          ///< its size is that of the video
    std::string range;           ///< "limited" or "full"
    std::string matrix;          ///< libav's name; for R'G'B' only, else empty
    bool matrix_assumed = false; ///< neither the other video nor the user says that it is this one

    friend bool operator==(const ConversionTarget &, const ConversionTarget &) = default;
};

} // namespace isovmaf
