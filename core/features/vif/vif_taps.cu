// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of VIF with taps.
#include "features/vif/vif_tile.h"

ISOVMAF_KERNEL(VIF_THREADS)
vif_scale0_8_taps(const uint8_t *reference, const uint8_t *distorted, uint16_t *next_reference,
                  uint16_t *next_distorted, const uint16_t *table, const double *gain_limits, int64_t *sums,
                  int64_t *taps, VifParams p) {
    vif_tile<0>(reference, distorted, next_reference, next_distorted, table, gain_limits, sums, p, Taps{taps});
}
ISOVMAF_KERNEL(VIF_THREADS)
vif_scale0_16_taps(const uint16_t *reference, const uint16_t *distorted, uint16_t *next_reference,
                   uint16_t *next_distorted, const uint16_t *table, const double *gain_limits, int64_t *sums,
                   int64_t *taps, VifParams p) {
    vif_tile<0>(reference, distorted, next_reference, next_distorted, table, gain_limits, sums, p, Taps{taps});
}
ISOVMAF_KERNEL(VIF_THREADS)
vif_scale1_taps(const uint16_t *reference, const uint16_t *distorted, uint16_t *next_reference,
                uint16_t *next_distorted, const uint16_t *table, const double *gain_limits, int64_t *sums,
                int64_t *taps, VifParams p) {
    vif_tile<1>(reference, distorted, next_reference, next_distorted, table, gain_limits, sums, p, Taps{taps});
}
ISOVMAF_KERNEL(VIF_THREADS)
vif_scale2_taps(const uint16_t *reference, const uint16_t *distorted, uint16_t *next_reference,
                uint16_t *next_distorted, const uint16_t *table, const double *gain_limits, int64_t *sums,
                int64_t *taps, VifParams p) {
    vif_tile<2>(reference, distorted, next_reference, next_distorted, table, gain_limits, sums, p, Taps{taps});
}
ISOVMAF_KERNEL(VIF_THREADS)
vif_scale3_taps(const uint16_t *reference, const uint16_t *distorted, const uint16_t *table, const double *gain_limits,
                int64_t *sums, int64_t *taps, VifParams p) {
    vif_tile<3>(reference, distorted, (uint16_t *)nullptr, (uint16_t *)nullptr, table, gain_limits, sums, p,
                Taps{taps});
}
