// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>

#include "features/psnr_hvs/psnr_hvs.hpp"
#include "simd/level.hpp"

namespace isovmaf {

/// Blocks that vector code takes at once, at most: as many as the longest vectors have lanes of 16 bits.
inline constexpr int psnr_hvs_most_blocks = 32;

/// Where the blocks of a group lie in one picture. No byte outside their samples is read.
struct PsnrHvsPlaces {
    const std::byte *first[psnr_hvs_most_blocks]; ///< first sample of each block; of all lanes, also beyond `count`
    std::ptrdiff_t stride_bytes;
};

/// Consecutive blocks in raster order, of both pictures.
struct PsnrHvsGroup {
    PsnrHvsPlaces reference, distorted;
    int count; ///< 1 to PsnrHvsFunctions::blocks; the other lanes have any blocks of the pictures
};

/// What was computed of a group. Value k of block b, in raster order within a block, lies at
/// k * PsnrHvsFunctions::blocks + b.
struct PsnrHvsValues {
    alignas(64) std::int16_t reference[PSNR_HVS_COEFFICIENTS * psnr_hvs_most_blocks]; ///< coefficients
    alignas(64) std::int16_t distorted[PSNR_HVS_COEFFICIENTS * psnr_hvs_most_blocks];
    alignas(64) float strengths[psnr_hvs_most_blocks];
    alignas(64) float errors[PSNR_HVS_COEFFICIENTS * psnr_hvs_most_blocks]; ///< 0 in lanes beyond the count
};

/// The vector code of PSNR-HVS at one level: what psnr_hvs_vectors.cpp defines and psnr_hvs_cpu.cpp calls.
struct PsnrHvsFunctions {
    int blocks; ///< of a whole group

    /// `sum` with the errors of a group added to it one after the other. Samples are below 2^PSNR_HVS_MOST_BITS.
    float (*add_8)(const PsnrHvsGroup &group, const PsnrHvsTables &tables, float sum, PsnrHvsValues &values);
    float (*add_16)(const PsnrHvsGroup &group, const PsnrHvsTables &tables, float sum, PsnrHvsValues &values);
};

/// psnr_hvs_cpu.cpp: the functions of a level; null if there are none.
const PsnrHvsFunctions *psnr_hvs_functions(CpuLevel level);

} // namespace isovmaf
