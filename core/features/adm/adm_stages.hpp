// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <vector>

#include "features/adm/adm.hpp"
#include "features/adm/adm_params.h"

namespace isovmaf {

/// Numbers of one scale's stages.
struct AdmScaleStages {
    int approximation = 0; ///< the reference's, then the distorted picture's; none at the last scale
    int detail = 0;        ///< the reference's h, v and d, then the distorted picture's; what follows needs them
    AdmReferenceStages reference{};
    std::vector<AdmMaskingStages> maskings; ///< as many as the demand has; those that leave scale 0 out have none there
};

/// Which stage is which: scale by scale, the wavelet, the cubes of the reference, and masking after masking.
///
/// Planes have the size of the subband. Values of detail bands are recorded where sums depend on them, those of later
/// stages in the core region alone.
struct AdmStages {
    std::array<AdmScaleStages, ADM_SCALE_COUNT> scale;
    int count = 0;
};
[[nodiscard]] AdmStages adm_stages(const AdmDemand &demand);

/// Column at which the masking kernels' tiles start; they start at the core region's top.
[[nodiscard]] constexpr int adm_masking_left(const AdmScale &s) {
    return s.core.left / ADM_MASKING_RUN * ADM_MASKING_RUN;
}

[[nodiscard]] std::vector<WordSpec> describe_adm_words(const AdmDemand &demand);
[[nodiscard]] std::vector<Stage> describe_adm_stages(const VideoFormat &format, const AdmDemand &demand);

/// Records row y, columns [left, right), of a stage if stages are recorded.
template <class T>
void adm_put_row(Taps taps, int stage, int y, int left, int right, const T *values) {
    for (int x = left; x < right && taps.memory; x++)
        taps.put(stage, x, y, values[x]);
}

} // namespace isovmaf
