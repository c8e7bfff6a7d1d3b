// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string_view>

#include "frame/crop.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// Gives the frames of `source` converted to the colour range `range`, "limited" or "full". A source without a
/// specified range counts as limited.
///
/// Every sample is replaced by the value that ITU-T H.273 gives for it, rounded to the nearest integer, halves away
/// from zero, and clipped to the bit depth. With s = 2^(n-8) for n bits, full luma is (limited - 16 s)(2^n - 1)/(219
/// s), and full chroma, counted from 2^(n-1), is (limited - 128 s)(2^n - 1)/(224 s).
[[nodiscard]] std::unique_ptr<FrameSource> make_range_source(std::unique_ptr<FrameSource> source,
                                                             std::string_view range);

/// Gives the frames of `source` with `bit_depth` bits: every sample is multiplied by a power of two, as libvmaf's
/// program does for videos of different depth. That keeps what samples of limited range mean. Fails when the source has
/// more bits.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> make_deeper_source(std::unique_ptr<FrameSource> source,
                                                                      int bit_depth);

/// Gives the frames of `source`, whose range is full, with `bit_depth` bits, of which there are no fewer. Every sample
/// becomes the value that ITU-T H.273 gives for it, rounded to the nearest integer, halves away from zero, and clipped:
/// from m to n bits luma is multiplied by (2^n - 1)/(2^m - 1), and so is the distance of chroma from its centre.
[[nodiscard]] std::unique_ptr<FrameSource> make_deeper_full_source(std::unique_ptr<FrameSource> source, int bit_depth);

/// Gives a part of the pictures of `source`, in their memory. Fails when the part does not lie in the pictures, or cuts
/// through chroma samples.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> make_cropped_source(std::unique_ptr<FrameSource> source,
                                                                       const Crop &crop);

/// Gives the luma of `source` as 4:0:0, in the memory of its frames.
[[nodiscard]] std::unique_ptr<FrameSource> make_luma_source(std::unique_ptr<FrameSource> source);

} // namespace isovmaf
