// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of adm: the wavelet of each scale, the sums of all scales' rows, and the rounding of rows.
#include "features/adm/adm_masking_tile.h"
#include "features/adm/adm_rounding_tile.h"
#include "features/adm/adm_wavelet_tile.h"

ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_0_8(const uint8_t *reference, const uint8_t *distorted, int16_t *approximations, int16_t *details,
                AdmWaveletParams p) {
    adm_wavelet_tile<0>(reference, distorted, approximations, details, p, NoTaps{});
}
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_0_16(const uint16_t *reference, const uint16_t *distorted, int16_t *approximations, int16_t *details,
                 AdmWaveletParams p) {
    adm_wavelet_tile<0>(reference, distorted, approximations, details, p, NoTaps{});
}
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_1(const int16_t *reference, const int16_t *distorted, int32_t *approximations, int32_t *details,
              AdmWaveletParams p) {
    adm_wavelet_tile<1>(reference, distorted, approximations, details, p, NoTaps{});
}
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_2(const int32_t *reference, const int32_t *distorted, int32_t *approximations, int32_t *details,
              AdmWaveletParams p) {
    adm_wavelet_tile<2>(reference, distorted, approximations, details, p, NoTaps{});
}
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_3(const int32_t *reference, const int32_t *distorted, int32_t *approximations, int32_t *details,
              AdmWaveletParams p) {
    adm_wavelet_tile<3>(reference, distorted, approximations, details, p, NoTaps{});
}

ISOVMAF_KERNEL(ADM_MASKING_THREADS)
adm_masking(const int16_t *details_0, const int32_t *details, int64_t *row_sums, AdmMaskingParams p) {
    adm_masking_scales(details_0, details, row_sums, AdmLimit{p.gain_limit}, p, NoTaps{});
}
// For a gain limit that is a whole number.
ISOVMAF_KERNEL(ADM_MASKING_THREADS)
adm_masking_whole(const int16_t *details_0, const int32_t *details, int64_t *row_sums, AdmMaskingParams p) {
    adm_masking_scales(details_0, details, row_sums, AdmWholeLimit{int32_t(p.gain_limit)}, p, NoTaps{});
}

ISOVMAF_KERNEL(ADM_ROUNDING_THREADS)
adm_rounding(const int64_t *row_sums, int64_t *sums, AdmRoundingParams p) {
    adm_rounding_tile(row_sums, sums, p, NoTaps{});
}
