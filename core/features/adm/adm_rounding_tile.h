// SPDX-License-Identifier: BSD-2-Clause-Patent
// The last step of adm on GPUs (features.md §4.6, §4.7): a block rounds the sums of rows and adds them up.
#ifndef ISOVMAF_ADM_ROUNDING_TILE_H
#define ISOVMAF_ADM_ROUNDING_TILE_H

#include "features/adm/adm_params.h"
#include "portable/reduce.h"
#include "portable/taps.h"

// Rounds each row's sum, once it is whole, and adds them up: in x rows, in y sums, in z scales.
template <class Tap>
ISOVMAF_FN void adm_rounding_tile(const int64_t *row_sums, int64_t *sums, const AdmRoundingParams &p, Tap taps) {
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
        taps.put(part == ADM_PART_REFERENCE ? adm_reference_row_sums_stage(s.reference_stages)
                                            : adm_visible_row_sums_stage(s.stages, part),
                 band, s.top + row, int64_t(total));
        rounded = part == ADM_PART_REFERENCE ? adm_round_unsigned(total, s.reference_shift)
                                             : uint64_t(adm_round(int64_t(total), s.shift));
    }
    const int32_t place = p.sums[part] + scale * ADM_BAND_COUNT + band;
    block_add<ADM_ROUNDING_THREADS>(sums + place, int64_t(rounded), thread, slots);
}

#endif
