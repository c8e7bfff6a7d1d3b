// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>

#include "features/feature.hpp"
#include "features/vif/vif_log_lines.h"
#include "features/vif/vif_math.h"

namespace isovmaf {

/// Visual information fidelity: what share of the reference luma's information the distorted luma keeps, at four
/// scales (features.md §3).
extern const FeatureDescriptor vif_feature;

/// What one extraction computes, and where: the layout of its sums on every backend. Each scale has a block of
/// `sums_per_scale` sums: three that all option sets share, then num_log for each gain limit.
struct VifDemand {
    bool scale0 = false;             ///< scale 0 is counted; if not, its block is zero
    std::vector<double> gain_limits; ///< distinct

    static constexpr std::size_t den_log_sum = 0, num_non_sum = 1, den_non_sum = 2, num_log_sums = 3;

    [[nodiscard]] std::size_t sums_per_scale() const { return num_log_sums + gain_limits.size(); }
    [[nodiscard]] std::size_t word_count() const { return sums_per_scale() * VIF_SCALE_COUNT; }

    [[nodiscard]] bool counts(int scale) const { return scale > 0 || scale0; }

    /// Index of a gain limit of this demand in `gain_limits`.
    [[nodiscard]] std::size_t limit_index(double gain_limit) const;
};

/// Numbers of one scale's stages. Scale 0 has no decimated pictures; a scale that is not counted has nothing else.
struct VifStages {
    int reference = 0, distorted = 0; ///< the decimated pictures
    int reference_variance = 0, distorted_variance = 0, covariance = 0;
    int den_log = 0; ///< each pixel's share of the sum with this name
    int num_log = 0; ///< the same; first of one for each gain limit
};

/// The numbers of all scales' stages: scale 0 first.
[[nodiscard]] std::array<VifStages, VIF_SCALE_COUNT> vif_stages(const VifDemand &demand);

/// 2048 log2(i) for i = 32768..65535, rounded: the table that vif_log looks into (features.md §3.3).
const std::array<std::uint16_t, VIF_LOG_COUNT> &vif_log_table();

/// The same logarithms as lines, for kernels that keep them in shared memory: see vif_log_lines.h.
const std::array<std::uint32_t, VIF_LINES> &vif_log_lines();

/// vif_ref.cpp: the definition.
std::unique_ptr<Extractor> make_vif_reference(const VideoFormat &format, const VifDemand &demand);

/// vif_cpu.cpp: the path of the newest level up to `cap`; null if no level has one.
std::unique_ptr<Extractor> make_vif_cpu(const VideoFormat &format, const VifDemand &demand, CpuLevel cap);

/// vif_gpu.cpp: the passes of vif.cu and vif_matrix.cu.
std::unique_ptr<GpuExtractor> make_vif_gpu(const VideoFormat &format, const VifDemand &demand);

/// vif_finish.cpp. `options` belong to vif_feature, and `demand` covers them.
std::unique_ptr<Finisher> make_vif_finisher(const VifDemand &demand, const OptionSet &options);

/// Outputs of vif_feature that `options` switch on, in the order in which its finisher numbers them.
std::vector<OutputSpec> vif_outputs(const OptionSet &options);

} // namespace isovmaf
