// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/adm/adm_decouple.h"

namespace isovmaf::testing {

/// Both pictures at a pixel as adm_math.h defines them (features.md §4.3): what adm_decouple finds in a shorter way.
inline AdmPixel define_adm_pixel(bool first, const AdmPair &pair, double limit) {
    const auto product = [&](const std::int32_t *a, const std::int32_t *b) {
        return multiply_wide(a[ADM_BAND_H], b[ADM_BAND_H]) + multiply_wide(a[ADM_BAND_V], b[ADM_BAND_V]);
    };
    const bool kept =
        adm_same_direction(product(pair.reference, pair.distorted), product(pair.reference, pair.reference),
                           product(pair.distorted, pair.distorted));
    AdmPixel pixel;
    for (int band = 0; band < ADM_BAND_COUNT; band++) {
        const std::int32_t o = pair.reference[band], t = pair.distorted[band];
        const std::int32_t r = first ? adm_restore_0(o, t) : adm_restore(o, t);
        pixel.of[ADM_PART_RESTORED][band] = kept ? adm_limit_gain(r, t, limit) : r;
        pixel.of[ADM_PART_ADDED][band] = t - pixel.of[ADM_PART_RESTORED][band];
    }
    return pixel;
}

} // namespace isovmaf::testing
