// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of VIF: one for each scale, which adds the scale's pixels to its sums and makes the next scale's pictures.
#include "features/vif/vif_tile.h"

ISOVMAF_KERNEL(VIF_THREADS)
vif_scale0_8(const uint8_t *reference, const uint8_t *distorted, uint16_t *next_reference, uint16_t *next_distorted,
             const uint16_t *table, const double *gain_limits, int64_t *sums, VifParams p) {
    vif_tile<0>(reference, distorted, next_reference, next_distorted, table, gain_limits, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(VIF_THREADS)
vif_scale0_16(const uint16_t *reference, const uint16_t *distorted, uint16_t *next_reference, uint16_t *next_distorted,
              const uint16_t *table, const double *gain_limits, int64_t *sums, VifParams p) {
    vif_tile<0>(reference, distorted, next_reference, next_distorted, table, gain_limits, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(VIF_THREADS)
vif_scale1(const uint16_t *reference, const uint16_t *distorted, uint16_t *next_reference, uint16_t *next_distorted,
           const uint16_t *table, const double *gain_limits, int64_t *sums, VifParams p) {
    vif_tile<1>(reference, distorted, next_reference, next_distorted, table, gain_limits, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(VIF_THREADS)
vif_scale2(const uint16_t *reference, const uint16_t *distorted, uint16_t *next_reference, uint16_t *next_distorted,
           const uint16_t *table, const double *gain_limits, int64_t *sums, VifParams p) {
    vif_tile<2>(reference, distorted, next_reference, next_distorted, table, gain_limits, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(VIF_THREADS)
vif_scale3(const uint16_t *reference, const uint16_t *distorted, const uint16_t *table, const double *gain_limits,
           int64_t *sums, VifParams p) {
    vif_tile<3>(reference, distorted, (uint16_t *)nullptr, (uint16_t *)nullptr, table, gain_limits, sums, p, NoTaps{});
}
