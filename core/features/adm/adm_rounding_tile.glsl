// SPDX-License-Identifier: BSD-2-Clause-Patent
// The last step of adm (features.md §4.6, §4.7): a block rounds the sums of rows and adds them up, as
// adm_rounding_tile.h does.
#include "features/adm/adm_params.h"
#include "portable/reduce.glsl"
#include "portable/taps.glsl"

layout(local_size_x = ADM_ROUNDING_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstI64 row_sums;
    I64 sums;
    ISOVMAF_TAPS_MEMBER
    AdmRoundingParams p;
} arguments;

ISOVMAF_BLOCK_ADD(ADM_ROUNDING_THREADS)

// A row's sum, whole, then rounded.
int64_t rounded_row(AdmRowSums s, int32_t part, int32_t band, int32_t row) {
    const int32_t sum = part * ADM_BAND_COUNT + band;
    int64_t total = 0;
    for (int32_t column = 0; column < s.columns; column++) {
        const int64_t at = s.start + int64_t(sum * s.columns + column) * s.rows + row;
        total += pointer_after(ConstI64, arguments.row_sums, 8 * at).at[0];
    }
    tap_put(arguments.taps, part == ADM_PART_REFERENCE ? adm_reference_row_sums_stage(s.reference_stages)
                                       : adm_visible_row_sums_stage(s.stages, part),
            band, s.top + row, total);
    return part == ADM_PART_REFERENCE ? int64_t(adm_round_unsigned(uint64_t(total), s.reference_shift))
                                      : adm_round(total, s.shift);
}

// In x rows, in y sums, in z scales.
void main() {
    const int32_t thread = thread_x(), scale = group_z();
    const int32_t part = group_y() / ADM_BAND_COUNT, band = group_y() % ADM_BAND_COUNT;
    const AdmRowSums s = arguments.p.scale[scale];
    const int32_t row = group_x() * ADM_ROUNDING_THREADS + thread;
    const int32_t sums = arguments.p.sums[part];
    if (sums < 0 || row - thread >= s.rows)
        return;
    const int64_t rounded = row < s.rows ? rounded_row(s, part, band, row) : int64_t(0);
    block_add(arguments.sums, sums + scale * ADM_BAND_COUNT + band, rounded, thread);
}
