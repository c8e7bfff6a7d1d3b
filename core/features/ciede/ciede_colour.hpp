// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

namespace isovmaf {

/// A colour in CIELAB.
struct CiedeColour {
    float lightness, a, b;
};

/// ciede_ref.cpp: the colour of samples of luma, Cb and Cr. `depth` is their bit depth.
CiedeColour ciede_colour(int y, int u, int v, int depth);

/// ciede_ref.cpp: CIEDE2000 of two colours; 0 if they are equal.
float ciede_difference(const CiedeColour &reference, const CiedeColour &distorted);

} // namespace isovmaf
