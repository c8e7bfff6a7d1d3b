// SPDX-License-Identifier: BSD-2-Clause-Patent
// Kernels of adm: the wavelet of each scale, the sums of all scales' rows, and the rounding of rows.
#include "features/adm/adm_masking_tile.h"
#include "features/adm/adm_wavelet_tile.h"
#include "portable/reduce.h"

ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_0_8(const uint8_t *reference, const uint8_t *distorted, int16_t *approximations, int16_t *details,
                AdmWaveletParams p) {
    adm_wavelet_tile<0>(reference, distorted, approximations, details, p);
}
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_0_16(const uint16_t *reference, const uint16_t *distorted, int16_t *approximations, int16_t *details,
                 AdmWaveletParams p) {
    adm_wavelet_tile<0>(reference, distorted, approximations, details, p);
}
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_1(const int16_t *reference, const int16_t *distorted, int32_t *approximations, int32_t *details,
              AdmWaveletParams p) {
    adm_wavelet_tile<1>(reference, distorted, approximations, details, p);
}
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_2(const int32_t *reference, const int32_t *distorted, int32_t *approximations, int32_t *details,
              AdmWaveletParams p) {
    adm_wavelet_tile<2>(reference, distorted, approximations, details, p);
}
ISOVMAF_KERNEL(ADM_WAVELET_THREADS)
adm_wavelet_3(const int32_t *reference, const int32_t *distorted, int32_t *approximations, int32_t *details,
              AdmWaveletParams p) {
    adm_wavelet_tile<3>(reference, distorted, approximations, details, p);
}

// All scales in one launch: the block's number tells which.
template <class Limit>
ISOVMAF_FN void adm_masking_scales(const int16_t *details_0, const int32_t *details, int64_t *row_sums, Limit limit,
                                   const AdmMaskingParams &p) {
    ISOVMAF_SHARED(AdmMaskingMemory, memory);
    AdmMaskingTask<Limit> task{limit, p.parts, 0};
    const int32_t group = group_x();
    if (group < p.scale[1].first_group) {
        adm_masking_tile(details_0, row_sums, p.scale[0], task, memory);
        return;
    }
    const int32_t scale = group < p.scale[2].first_group ? 1 : group < p.scale[3].first_group ? 2 : 3;
    task.square_shift = adm_reference_square_shift[scale];
    adm_masking_tile(details, row_sums, p.scale[scale], task, memory);
}

ISOVMAF_KERNEL(ADM_MASKING_THREADS)
adm_masking(const int16_t *details_0, const int32_t *details, int64_t *row_sums, AdmMaskingParams p) {
    adm_masking_scales(details_0, details, row_sums, AdmLimit{p.gain_limit}, p);
}
// For a gain limit that is a whole number.
ISOVMAF_KERNEL(ADM_MASKING_THREADS)
adm_masking_whole(const int16_t *details_0, const int32_t *details, int64_t *row_sums, AdmMaskingParams p) {
    adm_masking_scales(details_0, details, row_sums, AdmWholeLimit{int32_t(p.gain_limit)}, p);
}

// Rounds each row's sum, once it is whole, and adds them up: in x rows, in y sums, in z scales.
ISOVMAF_KERNEL(ADM_ROUNDING_THREADS)
adm_rounding(const int64_t *row_sums, int64_t *sums, AdmRoundingParams p) {
    ISOVMAF_SHARED(int64_t, slots[ISOVMAF_REDUCE_SLOTS(ADM_ROUNDING_THREADS)]);
    const int32_t thread = thread_x(), sum = group_y(), scale = group_z();
    const int32_t part = sum / ADM_BAND_COUNT, band = sum % ADM_BAND_COUNT;
    const AdmRowSums &s = p.scale[scale];
    const int32_t row = group_x() * ADM_ROUNDING_THREADS + thread;
    if (p.sums[part] < 0 || row - thread >= s.rows)
        return;

    uint64_t rounded = 0;
    if (row < s.rows) {
        uint64_t total = 0;
        for (int32_t column = 0; column < s.columns; column++)
            total += uint64_t(row_sums[s.start + int64_t(sum * s.columns + column) * s.rows + row]);
        rounded = part == ADM_PART_REFERENCE ? adm_round_unsigned(total, s.reference_shift)
                                             : uint64_t(adm_round(int64_t(total), s.shift));
    }
    const int32_t place = p.sums[part] + scale * ADM_BAND_COUNT + band;
    block_add<ADM_ROUNDING_THREADS>(sums + place, int64_t(rounded), thread, slots);
}
