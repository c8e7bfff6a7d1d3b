// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "input/source_info.hpp"

namespace isovmaf {

/// A command line that lets ffmpeg read the file of `stored` and write the samples that the conversions of `converted`
/// make of it, as raw video to standard output. Empty when nothing is converted, or when ffmpeg has no filter for one
/// of the conversions. `stored` and `converted` describe the video before and after all conversions.
[[nodiscard]] std::string ffmpeg_command(const SourceInfo &stored, const SourceInfo &converted);

} // namespace isovmaf
