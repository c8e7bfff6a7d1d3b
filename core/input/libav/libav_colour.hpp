// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "input/source_info.hpp"

extern "C" {
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
}

namespace isovmaf {

/// What a stream's container and headers say, without a decoded frame.
[[nodiscard]] ColourDescription describe_colour(const AVStream &stream);

/// What the first decoded frame of a stream says: the codec's data where they differ from the container's.
[[nodiscard]] ColourDescription describe_colour(const AVStream &stream, const AVFrame &frame);

} // namespace isovmaf
