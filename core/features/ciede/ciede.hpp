// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"

namespace isovmaf {

/// Mean colour difference CIEDE2000 of the pixels, in decibels (features.md §7).
///
/// Every pixel takes powers, sines and an arctangent with the bits of core/math, and the differences are added as f64
/// in raster order. Kernels would need core/math on the device, and all differences of a frame in memory.
extern const FeatureDescriptor ciede_feature;

/// A colour in CIELAB.
struct CiedeColour {
    float lightness, a, b;
};

/// ciede_ref.cpp: the colour of samples of luma, Cb and Cr. `depth` is their bit depth.
CiedeColour ciede_colour(int y, int u, int v, int depth);

/// ciede_ref.cpp: CIEDE2000 of two colours; 0 if they are equal.
float ciede_difference(const CiedeColour &reference, const CiedeColour &distorted);

/// Stages of an extraction: lightness, a and b of the reference, then of the distorted picture, then the differences.
constexpr int ciede_distorted_stage = 3, ciede_difference_stage = 6;

/// ciede_ref.cpp: the definition. Its word is the sum of the differences.
std::unique_ptr<Extractor> make_ciede_reference(const VideoFormat &format);

/// ciede_finish.cpp
std::unique_ptr<Finisher> make_ciede_finisher(const VideoFormat &format);

} // namespace isovmaf
