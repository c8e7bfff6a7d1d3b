// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/float_ms_ssim/float_ms_ssim_math.h"
#include "features/float_ssim/float_ssim.hpp"

namespace isovmaf {

/// Structural similarity of luma at five scales (features.md §6.4).
extern const FeatureDescriptor float_ms_ssim_feature;

/// The words of a scale begin at ms_ssim_words_per_scale times its number: f32 means of l, c and s.
enum MsSsimWord : std::size_t { ms_ssim_word_l, ms_ssim_word_c, ms_ssim_word_s, ms_ssim_words_per_scale };

/// Writes the words of a scale.
void put_ms_ssim_means(const SsimMeans &means, int scale, Words words);

/// Size of the pictures of each scale.
std::array<SsimSize, MS_SSIM_SCALE_COUNT> ms_ssim_sizes(const VideoFormat &format);

/// float_ms_ssim_ref.cpp: the definition.
std::unique_ptr<Extractor> make_float_ms_ssim_reference(const VideoFormat &format);

/// float_ms_ssim_cpu.cpp: the same words by vector code; none for `scalar`.
std::unique_ptr<Extractor> make_float_ms_ssim_cpu(const VideoFormat &format, CpuLevel level);

/// float_ms_ssim_gpu.cpp: the same words by kernels.
std::unique_ptr<GpuExtractor> make_float_ms_ssim_gpu(const VideoFormat &format);

/// float_ms_ssim_finish.cpp. `options` belong to float_ms_ssim_feature.
std::unique_ptr<Finisher> make_float_ms_ssim_finisher(const VideoFormat &format, const OptionSet &options);

} // namespace isovmaf
