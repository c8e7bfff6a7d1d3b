// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"

namespace isovmaf {

/// Mean colour difference CIEDE2000 of the pixels, in decibels (features.md §7).
///
/// Every pixel takes powers, sines and an arctangent with the bits of core/math, and the differences are added as f64
/// in raster order. Kernels would need core/math on the device, and all differences of a frame in memory.
extern const FeatureDescriptor ciede_feature;

/// Stages of an extraction: lightness, a and b of the reference, then of the distorted picture, then the differences.
constexpr int ciede_distorted_stage = 3, ciede_difference_stage = 6;

/// ciede_ref.cpp: the definition. Its word is the sum of the differences.
std::unique_ptr<Extractor> make_ciede_reference(const VideoFormat &format);

/// ciede_cpu.cpp: the same sum by vector code; none for `scalar`.
std::unique_ptr<Extractor> make_ciede_cpu(const VideoFormat &format, CpuLevel level);

/// ciede_finish.cpp
std::unique_ptr<Finisher> make_ciede_finisher(const VideoFormat &format);

} // namespace isovmaf
