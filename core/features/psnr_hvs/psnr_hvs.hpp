// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"
#include "features/psnr_hvs/psnr_hvs_math.h"

namespace isovmaf {

/// PSNR-HVS of each plane: PSNR of the differences that the eye sees, in blocks of 8x8 samples (features.md §9).
extern const FeatureDescriptor psnr_hvs_feature;

inline constexpr int psnr_hvs_planes = 3;

/// What a plane's coefficients are weighted with, by vertical and horizontal frequency in raster order.
struct PsnrHvsTables {
    float weights[PSNR_HVS_COEFFICIENTS];
    float masks[PSNR_HVS_COEFFICIENTS]; ///< 1 / these are shares of the masking strength
};

/// The tables of plane 0, 1 or 2.
constexpr PsnrHvsTables psnr_hvs_tables(int plane) {
    const auto &weights = plane == 0 ? psnr_hvs_csf_y : plane == 1 ? psnr_hvs_csf_cb : psnr_hvs_csf_cr;
    PsnrHvsTables tables{};
    for (int k = 0; k < PSNR_HVS_COEFFICIENTS; k++) {
        const double scaled = double{weights[k]} * PSNR_HVS_MASK_SCALE;
        tables.weights[k] = weights[k];
        tables.masks[k] = static_cast<float>(scaled * scaled);
    }
    return tables;
}

/// How many blocks fit beside or above each other in `samples` samples, at least 8.
constexpr int psnr_hvs_blocks(int samples) { return (samples - PSNR_HVS_BLOCK) / PSNR_HVS_STEP + 1; }

/// The numbers of a plane's stages in the plan.
struct PsnrHvsStages {
    explicit PsnrHvsStages(int plane) : reference(4 * plane) {}

    int reference;                 ///< coefficients: 8 values for each block across and down
    int distorted = reference + 1; ///< the same
    int strengths = reference + 2; ///< one value for each block
    int errors = reference + 3;    ///< the addends of the plane's word: 8 values for each block across and down
};

/// psnr_hvs_ref.cpp: the definition.
std::unique_ptr<Extractor> make_psnr_hvs_reference(const VideoFormat &format);

/// psnr_hvs_cpu.cpp: the same sums by vector code; none for `scalar`.
std::unique_ptr<Extractor> make_psnr_hvs_cpu(const VideoFormat &format, CpuLevel level);

/// psnr_hvs_gpu.cpp: the passes of psnr_hvs.cu.
std::unique_ptr<GpuExtractor> make_psnr_hvs_gpu(const VideoFormat &format);

/// psnr_hvs_finish.cpp
std::unique_ptr<Finisher> make_psnr_hvs_finisher(const VideoFormat &format);

} // namespace isovmaf
