// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>

#include "input/libav/libav_functions.hpp"
#include "input/source_info.hpp"

namespace isovmaf {

/// Whether a file's format has times of frames. Formats of bare coded video, such as .h265 and .obu, and numbered
/// pictures have none: libavformat makes them up from an option of the demuxer, which is 25 frames per second unless
/// set.
[[nodiscard]] bool states_times(const AVFormatContext &file);

/// The frames per second that coded video states by itself: H.264 and HEVC in their VUI, MPEG-2 and AV1 in their
/// sequence headers. `decoder` has given a picture of the stream, and had no rate before. A clock of 1000 ticks a
/// second or more is no rate.
[[nodiscard]] std::optional<Rational> coded_rate(const AVCodecParameters &stream, const AVCodecContext &decoder);

} // namespace isovmaf
