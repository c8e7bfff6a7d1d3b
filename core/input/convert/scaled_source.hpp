// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>

#include "input/convert/sample_format.hpp"
#include "input/source.hpp"

namespace isovmaf {

/// The flags of ffmpeg's filter scale when none are given.
inline constexpr const char *default_scaler_flags = "bicubic";

/// The word for the flags with which libswscale gives the same samples on every processor.
inline constexpr const char *exact_scaler_flag = "exact";

/// Puts ffmpeg's names of flags in place of "exact"; alone it means the default filter with them.
[[nodiscard]] std::string expand_scaler_flags(const std::string &flags);

/// Fails unless `flags` are names of flags of this libswscale, joined by '+', as ffmpeg's filter scale takes them. The
/// error lists the names.
[[nodiscard]] Result<void> check_scaler_flags(const std::string &flags);

/// Whether libswscale gives the same samples on every processor with these flags.
[[nodiscard]] bool scales_alike_everywhere(const std::string &flags);

/// Gives the frames of `source` scaled to `width` x `height` by libswscale, with the same samples as ffmpeg's filter
/// scale with these flags, in the same release of FFmpeg on the same kind of processor. Chroma subsampling and bit
/// depth stay. Fails for bit depths and flags that libswscale cannot scale with.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> make_scaled_source(std::unique_ptr<FrameSource> source, int width,
                                                                      int height, const std::string &flags);

/// Gives the frames of `source` with this chroma and bit depth, by libswscale with exact rounding: the same samples on
/// every processor. Luma of the same depth stays as it is; samples of a higher depth are multiplied by a power of two,
/// as make_deeper_source does; lower depths are dithered as ffmpeg does. Fails for luma alone that would get
/// chroma or lose bits, and for bit depths that libswscale does not know.
[[nodiscard]] Result<std::unique_ptr<FrameSource>> make_format_source(std::unique_ptr<FrameSource> source,
                                                                      const SampleFormat &format);

} // namespace isovmaf
