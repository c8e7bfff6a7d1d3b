// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"

namespace isovmaf {

/// Peak signal-to-noise ratio of each plane (features.md §5).
extern const FeatureDescriptor psnr_feature;

/// Planes that one extraction compares: 1 or 3. Its sums are their squared errors, in this order.
int psnr_plane_count(const VideoFormat &format, const OptionSet &options);

/// psnr_ref.cpp: the definition.
std::unique_ptr<Extractor> make_psnr_reference(const VideoFormat &format, int plane_count);

/// psnr_cpu.cpp: the same sums by vector code; none for `scalar`.
std::unique_ptr<Extractor> make_psnr_cpu(const VideoFormat &format, int plane_count, CpuLevel level);

/// psnr_gpu.cpp: the pass of psnr.cu.
std::unique_ptr<GpuExtractor> make_psnr_gpu(const VideoFormat &format, int plane_count);

/// psnr_finish.cpp. `options` belong to psnr_feature.
std::unique_ptr<Finisher> make_psnr_finisher(const VideoFormat &format, const OptionSet &options);

/// Outputs of psnr_feature that `options` switch on, in the order in which its finisher numbers them.
std::vector<OutputSpec> psnr_outputs(const VideoFormat &format, const OptionSet &options);

/// psnr_finish.cpp: the scores of the whole video that the finisher sets.
std::vector<std::string> psnr_aggregates(const VideoFormat &format, const OptionSet &options);

} // namespace isovmaf
