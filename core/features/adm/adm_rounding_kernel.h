// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel of adm: the last step (features.md §4.6, §4.7). A block rounds the sums of rows, each when it is whole, and
// adds them up.
#include "features/adm/adm_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_BLOCK_ADD(ADM_ROUNDING_THREADS)

// The sum of a whole row, rounded.
ISOVMAF_FN uint64_t rounded_row(ConstI64 row_sums, ISOVMAF_IN(AdmRowSums) s, int32_t part, int32_t band, int32_t row,
                                KernelTaps taps) {
    const int32_t sum = part * ADM_BAND_COUNT + band;
    uint64_t total = 0;
    for (int32_t column = 0; column < s.columns; column++) {
        const int64_t place = s.start + int64_t(sum * s.columns + column) * s.rows + row;
        total += uint64_t(pointer_after(ConstI64, row_sums, 8 * place).at[0]);
    }
    tap_put(taps,
            part == ADM_PART_REFERENCE ? adm_reference_row_sums_stage(s.reference_stages)
                                       : adm_visible_row_sums_stage(s.stages, part),
            band, s.top + row, int64_t(total));
    return part == ADM_PART_REFERENCE ? adm_round_unsigned(total, s.reference_shift)
                                      : uint64_t(adm_round(int64_t(total), s.shift));
}

// In x rows, in y sums, in z scales. The part's sums of the frame start at `first_sum`; -1: they are not wanted.
ISOVMAF_FN void rounding_tile(ConstI64 row_sums, I64 sums, ISOVMAF_IN(AdmRowSums) s, int32_t first_sum,
                              KernelTaps taps) {
    const int32_t part = group_y() / ADM_BAND_COUNT, band = group_y() % ADM_BAND_COUNT;
    const int32_t thread = thread_x(), row = group_x() * ADM_ROUNDING_THREADS + thread;
    if (first_sum < 0 || row - thread >= s.rows)
        return;
    uint64_t rounded = 0;
    if (row < s.rows)
        rounded = rounded_row(row_sums, s, part, band, row, taps);
    block_add(sums, first_sum + group_z() * ADM_BAND_COUNT + band, int64_t(rounded), thread);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = ADM_ROUNDING_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstI64 row_sums;
    I64 sums;
    ISOVMAF_TAPS_MEMBER
    AdmRoundingParams p;
}
arguments;
void main() {
    rounding_tile(arguments.row_sums, arguments.sums, arguments.p.scale[group_z()],
                  arguments.p.sums[group_y() / ADM_BAND_COUNT], ISOVMAF_TAPS_ARGUMENT);
}
#else
ISOVMAF_KERNEL(ADM_ROUNDING_THREADS)
ISOVMAF_KERNEL_NAME(const int64_t *row_sums, int64_t *sums, ISOVMAF_TAPS_PARAMETER AdmRoundingParams p) {
    KERNEL_BODY::rounding_tile({row_sums}, {sums}, p.scale[group_z()], p.sums[group_y() / ADM_BAND_COUNT],
                               ISOVMAF_TAPS_ARGUMENT);
}
#endif

#undef KERNEL
