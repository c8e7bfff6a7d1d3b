// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel that counts the samples of a plane, of 16 bits each, that are above the largest of the bit depth. A plane
// without such samples, which is nearly every one, is read and nothing is written.
#include "device/sample_range_params.h"
#include "portable/body.h"

ISOVMAF_BODY_BEGIN

ISOVMAF_FN void count_large(ConstU16 plane, I64 counts, ISOVMAF_IN(SampleRangeParams) p) {
    const int32_t left = group_x() * SAMPLE_RANGE_THREADS * SAMPLE_RANGE_SAMPLES + thread_x();
    ConstU16 row = plane_row(ConstU16, plane, group_y(), p.stride_bytes);
    int64_t large = 0;
    for (int32_t i = 0; i < SAMPLE_RANGE_SAMPLES; i++) {
        const int32_t x = left + i * SAMPLE_RANGE_THREADS;
        if (x < p.width && uint32_t(row.at[x]) >> p.bit_depth != 0u)
            large += 1;
    }
    if (large > 0)
        atomic_add(counts, p.count, large);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = SAMPLE_RANGE_THREADS) in;
ISOVMAF_ARGUMENTS {
    ConstU16 plane;
    I64 counts;
    SampleRangeParams p;
}
arguments;
void main() { count_large(arguments.plane, arguments.counts, arguments.p); }
#else
ISOVMAF_KERNEL(SAMPLE_RANGE_THREADS)
ISOVMAF_KERNEL_NAME(const uint16_t *plane, int64_t *counts, SampleRangeParams p) {
    KERNEL_BODY::count_large({plane}, {counts}, p);
}
#endif

#undef KERNEL
