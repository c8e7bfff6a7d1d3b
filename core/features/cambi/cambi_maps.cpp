// SPDX-License-Identifier: BSD-2-Clause-Patent
// Which files heat maps are written to: docs/spec/maps.md.
#include <fmt/format.h>

#include "features/cambi/cambi.hpp"

namespace isovmaf {

std::vector<StageMap> cambi_maps(const CambiSettings &settings, const CambiStages &stages, std::size_t counts) {
    std::vector<StageMap> maps;
    CambiSize named{settings.distorted.width, settings.distorted.height}; // also where scale 0 is halved
    for (std::size_t scale = 0; scale < CAMBI_SCALE_COUNT; scale++) {
        maps.push_back({fmt::format("cambi_heatmap_scale_{}_{}x{}_16b.gray", scale, named.width, named.height),
                        static_cast<std::size_t>(stages.c_values(counts, scale)),
                        static_cast<double>(cambi_heat_map_maximum(settings.distorted_contrast))});
        named = {(named.width + 1) / 2, (named.height + 1) / 2};
    }
    return maps;
}

} // namespace isovmaf
