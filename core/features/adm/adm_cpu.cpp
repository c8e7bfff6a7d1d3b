// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of adm: adm_vectors.cpp row by row, all scales together.
#include <algorithm>

#include "features/adm/adm_cpu_scale.hpp"

namespace isovmaf {

ISOVMAF_LEVEL_TABLE(AdmFunctions, adm_functions);

namespace {

/// Whether vectors have room for what these sensitivities give. Those of adm_csf.cpp are all covered.
///
/// Coefficients are below 27413 in magnitude at scale 0, below 2.118e9 at scale 1 and below 1.062e9 later, whatever the
/// samples: 32768 times the magnitudes of the taps of all steps up to a scale. Restored and added pictures are no
/// larger. Weighted masks of scale 0 are then below 30720, and a neighbour's share of them has 16 bits.
bool is_covered(const AdmMasking &masking) {
    for (int scale = 0; scale < ADM_SCALE_COUNT; scale++)
        if (masking.csf.of(scale, ADM_BAND_H) > (scale == 0 ? 36700u : 0x7fffffffu) ||
            masking.csf.of(scale, ADM_BAND_D) > (scale == 0 ? 65535u : 0x7fffffffu))
            return false;
    return true;
}

class AdmPath final : public BandedExtractor {
  public:
    AdmPath(const VideoFormat &format, AdmDemand demand, CpuLevel level, const AdmFunctions &functions)
        : BandedExtractor(level), bit_depth_(format.bit_depth), geometry_(adm_geometry(format)),
          demand_(std::move(demand)), stages_(adm_stages(demand_)), functions_(functions) {}

    void extract_band(const PictureWindow &frames, Band band, Workspace &workspace, Words sums,
                      Taps taps) const override {
        std::ranges::fill(sums, 0);
        const AdmWork work = adm_work(geometry_, band, demand_.scale0(), taps.memory != nullptr);
        const AdmJob job{functions_, demand_, geometry_, stages_, work, workspace, sums, taps};
        AdmScalePath scale0(job, frames.reference->plane(0), frames.distorted->plane(0), bit_depth_);
        AdmScalePath scale1(job, 1, scale0), scale2(job, 2, scale1), scale3(job, 3, scale2);
        for (AdmScalePath *const scale : {&scale3, &scale2, &scale1, &scale0})
            scale->run();
    }

  private:
    int bit_depth_;
    AdmGeometry geometry_;
    AdmDemand demand_;
    AdmStages stages_;
    const AdmFunctions &functions_;
};

} // namespace

const AdmFunctions *adm_functions(CpuLevel level) { return functions_of<AdmFunctions>(adm_functions_levels, level); }

std::unique_ptr<Extractor> make_adm_cpu(const VideoFormat &format, const AdmDemand &demand, CpuLevel cap) {
    const LevelEntry<AdmFunctions> *const newest = newest_entry<AdmFunctions>(adm_functions_levels, cap);
    if (!newest || !std::ranges::all_of(demand.maskings, is_covered))
        return nullptr;
    return std::make_unique<AdmPath>(format, demand, newest->level, *newest->functions);
}

} // namespace isovmaf
