// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of PSNR.
#include "features/psnr/psnr_tile.h"

ISOVMAF_KERNEL(PSNR_THREADS)
psnr_error_8(const uint8_t *reference_y, const uint8_t *reference_cb, const uint8_t *reference_cr,
             const uint8_t *distorted_y, const uint8_t *distorted_cb, const uint8_t *distorted_cr, int64_t *sums,
             PsnrParams p) {
    psnr_tile(reference_y, reference_cb, reference_cr, distorted_y, distorted_cb, distorted_cr, sums, p, NoTaps{});
}
ISOVMAF_KERNEL(PSNR_THREADS)
psnr_error_16(const uint16_t *reference_y, const uint16_t *reference_cb, const uint16_t *reference_cr,
              const uint16_t *distorted_y, const uint16_t *distorted_cb, const uint16_t *distorted_cr, int64_t *sums,
              PsnrParams p) {
    psnr_tile(reference_y, reference_cb, reference_cr, distorted_y, distorted_cb, distorted_cr, sums, p, NoTaps{});
}
