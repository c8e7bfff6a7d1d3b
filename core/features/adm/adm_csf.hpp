// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>

#include "features/adm/adm_math.h"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// How large and how far away the picture is seen, and by which model of contrast sensitivity.
struct AdmViewing {
    double distance = 3.0; ///< in picture heights
    int display_height = 1080;
    int csf_mode = 0;
};

/// One value per scale for the bands h and v, and one for d.
template <class T>
struct AdmBandFactors {
    std::array<T, ADM_SCALE_COUNT> hv{};
    std::array<T, ADM_SCALE_COUNT> diagonal{};

    [[nodiscard]] T of(int scale, int band) const {
        return (band == ADM_BAND_D ? diagonal : hv)[static_cast<std::size_t>(scale)];
    }
    friend bool operator==(const AdmBandFactors &, const AdmBandFactors &) = default;
};

/// Contrast sensitivity factors (features.md §4.4).
struct AdmCsf {
    AdmBandFactors<float> factor;
    AdmBandFactors<std::uint32_t> fixed; ///< what multiplies the coefficients: 16 bits at scale 0
};

/// Fails when the viewing conditions are closer than libvmaf accepts or have no sensitivities in the mode.
[[nodiscard]] Result<AdmCsf> adm_csf(const AdmViewing &viewing);

} // namespace isovmaf
