// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of PSNR with taps.
#include "features/psnr/psnr_tile.h"

ISOVMAF_KERNEL(PSNR_THREADS)
psnr_error_8_taps(const uint8_t *reference_y, const uint8_t *reference_cb, const uint8_t *reference_cr,
                  const uint8_t *distorted_y, const uint8_t *distorted_cb, const uint8_t *distorted_cr, int64_t *sums,
                  int64_t *taps, PsnrParams p) {
    psnr_tile(reference_y, reference_cb, reference_cr, distorted_y, distorted_cb, distorted_cr, sums, p, Taps{taps});
}
ISOVMAF_KERNEL(PSNR_THREADS)
psnr_error_16_taps(const uint16_t *reference_y, const uint16_t *reference_cb, const uint16_t *reference_cr,
                   const uint16_t *distorted_y, const uint16_t *distorted_cb, const uint16_t *distorted_cr,
                   int64_t *sums, int64_t *taps, PsnrParams p) {
    psnr_tile(reference_y, reference_cb, reference_cr, distorted_y, distorted_cb, distorted_cr, sums, p, Taps{taps});
}
