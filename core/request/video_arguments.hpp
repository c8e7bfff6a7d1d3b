// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "input/pair/pair_source.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"
#include "request/option_table.hpp"
#include "run/alignment_doctor.hpp"
#include "run/videos.hpp"

/// The part of a command line that names two videos and says which of their frames belong together.
namespace isovmaf {

struct VideoArguments {
    std::string reference;
    std::string distorted;
    std::optional<int> width;
    std::optional<int> height;
    std::optional<std::string> pixel_format;
    std::optional<int> bit_depth;
    std::string reference_format; ///< takes the place of the four above for its side
    std::string distorted_format;
    bool allow_partial = false;
    std::string reference_stream;
    std::string distorted_stream;
    std::vector<std::string> crops;
    std::string resize;
    std::int64_t skip_reference = 0;
    std::int64_t skip_distorted = 0;
    std::optional<std::int64_t> frame_count;
    bool strict = false;
    bool as_is = false;
    bool fit = false; ///< decide what the two videos need to be compared: see settle_videos
    std::vector<std::string> conversions;
    std::string film_grain = "on"; ///< or "off"
};

/// The files that a run reads, which no report may replace: the videos, and the models that are files.
[[nodiscard]] std::vector<std::string> input_files(const VideoArguments &arguments,
                                                   const std::vector<ModelRequest> &models);

/// The options that say how the videos are read, without --crop.
[[nodiscard]] std::span<const RequestOption<VideoArguments>> reading_options();

/// --crop, apart because it means something else in `isovmaf diff`.
[[nodiscard]] std::span<const RequestOption<VideoArguments>> crop_options();

/// The values that --pixel_format takes: 420 and so on.
[[nodiscard]] std::vector<std::string> pixel_format_names();
[[nodiscard]] Chroma chroma_named(const std::string &name);

/// The values that --film-grain takes: on, which means the same as no option, and off.
[[nodiscard]] std::vector<std::string> film_grain_names();

/// Parses what no option says alone: combinations of options, and texts with a grammar of their own.
[[nodiscard]] Result<VideoRequest> parse_videos(const VideoArguments &arguments);

struct SyncArguments {
    std::string sync = "auto";
    std::optional<double> sync_tolerance;
    bool align = false;                             ///< look for a better offset and report its gain
    int align_range = AlignmentDoctor::usual_range; ///< the largest offset that is looked for
    NumberOrAuto offset;                            ///< reference frame n is paired with distorted frame n + offset
};

/// The values that --sync takes.
[[nodiscard]] std::vector<std::string> sync_mode_names();

/// The options that say how frames are paired, without those that look for a better offset.
[[nodiscard]] std::span<const RequestOption<SyncArguments>> pairing_options();

/// Adds the arguments to a request whose frames to skip are set already. Fails with invalid_argument when they
/// contradict each other.
Result<void> apply_sync(const SyncArguments &arguments, VideoRequest &request);

} // namespace isovmaf
