// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/adm/adm_csf.hpp"
#include "features/adm/adm_geometry.hpp"
#include "features/feature.hpp"

namespace isovmaf {

/// ADM: how much of the reference's detail is left (adm2, the detail loss measure), how much is added (aim), and both
/// weighed (adm3), over four wavelet scales of the luma (features.md §4).
extern const FeatureDescriptor adm_feature;

/// One contrast masking: the options on which the sums of a frame depend.
struct AdmMasking {
    std::size_t gain = 0; ///< index into AdmDemand::gain_limits
    AdmBandFactors<std::uint32_t> csf;
    bool scale0 = false; ///< some option set scores scale 0
    bool aim = false;    ///< some option set scores the added part
};

/// What one extraction computes. Option sets that differ in nothing else share a masking; maskings of one gain limit
/// share its restored and added pictures; all share the wavelet, the angles and the denominator.
struct AdmDemand {
    std::vector<double> gain_limits; ///< distinct
    std::vector<AdmMasking> maskings;
    std::int64_t share_rounding = ADM_MINUS_HALF; ///< of adm_neighbour_share

    /// Index of the masking for an option set, which is added if need be.
    std::size_t add(double gain_limit, const AdmBandFactors<std::uint32_t> &csf, bool scale0, bool aim);

    [[nodiscard]] bool scale0() const;
};

/// The sums of one frame: the denominator, then per masking the visible restored part and the visible added part. Each
/// is one sum per scale and band (h, v, d), after the rounding of every row; what no option set needs is 0.
/// The denominator at scale 0 needs all 64 bits: it is unsigned.
struct AdmSums {
    static constexpr std::size_t part = std::size_t{ADM_SCALE_COUNT} * ADM_BAND_COUNT;
    static constexpr std::size_t denominator = 0;

    static constexpr std::size_t restored(std::size_t masking) { return (1 + 2 * masking) * part; }
    static constexpr std::size_t added(std::size_t masking) { return (2 + 2 * masking) * part; }
    static constexpr std::size_t count(std::size_t maskings) { return (1 + 2 * maskings) * part; }

    /// Place within a part.
    static constexpr std::size_t at(int scale, int band) {
        return static_cast<std::size_t>(scale * ADM_BAND_COUNT + band);
    }
};

/// adm_ref.cpp: the definition.
std::unique_ptr<Extractor> make_adm_reference(const VideoFormat &format, AdmDemand demand);

/// adm_cpu.cpp: the same sums by the newest vector code up to `cap`; null if there is none.
std::unique_ptr<Extractor> make_adm_cpu(const VideoFormat &format, const AdmDemand &demand, CpuLevel cap);

/// adm_gpu.cpp: the same sums by kernels.
std::unique_ptr<GpuExtractor> make_adm_gpu(const VideoFormat &format, AdmDemand demand);

/// adm_finish.cpp. `options` belong to adm_feature; `masking` is their index in the demand.
std::unique_ptr<Finisher> make_adm_finisher(const VideoFormat &format, const OptionSet &options, const AdmCsf &csf,
                                            std::size_t masking);

/// Outputs of adm_feature that `options` switch on, in the order in which its finisher numbers them.
std::vector<OutputSpec> adm_outputs(const OptionSet &options);

} // namespace isovmaf
