// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "simd/level.hpp"

namespace isovmaf {

/// PSNR's vector code at one level: what psnr_vectors.cpp defines and psnr_cpu.cpp calls.
struct PsnrFunctions {
    /// The sum of the squared differences of `width` samples. `errors`, unless null, gets each of them.
    std::int64_t (*row_8)(const std::uint8_t *reference, const std::uint8_t *distorted, int width,
                          std::uint32_t *errors);
    std::int64_t (*row_16)(const std::uint16_t *reference, const std::uint16_t *distorted, int width,
                           std::uint32_t *errors);
};

/// psnr_cpu.cpp: the functions of a level; null if there are none.
const PsnrFunctions *psnr_functions(CpuLevel level);

} // namespace isovmaf
