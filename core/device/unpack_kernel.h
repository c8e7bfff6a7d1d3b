// SPDX-License-Identifier: BSD-2-Clause-Patent
// A kernel that makes a plane plain: a thread reads one sample of a plane whose samples do not follow each other, or
// whose values are shifted (SampleLayout in frame.hpp). SAMPLE_BITS is 8 or 16.
#include "device/unpack_params.h"
#include "portable/body.h"

#define SAMPLE ISOVMAF_SAMPLE(SAMPLE_BITS)
#define PACKED ISOVMAF_SAMPLES(SAMPLE_BITS)
#define PLAIN ISOVMAF_JOIN(U, SAMPLE_BITS)

ISOVMAF_BODY_BEGIN

ISOVMAF_FN void unpack_sample(PACKED from, PLAIN to, ISOVMAF_IN(UnpackParams) p) {
    const int32_t x = group_x() * UNPACK_THREADS + thread_x(), y = group_y();
    if (x >= p.width)
        return;
    const uint32_t word = uint32_t(plane_row(PACKED, from, y, p.from_stride_bytes).at[x * p.step]);
    plane_row(PLAIN, to, y, p.to_stride_bytes).at[x] = SAMPLE(word >> p.shift);
}

ISOVMAF_BODY_END

#if defined(VULKAN)
layout(local_size_x = UNPACK_THREADS) in;
ISOVMAF_ARGUMENTS {
    PACKED from;
    PLAIN to;
    UnpackParams p;
}
arguments;
void main() { unpack_sample(arguments.from, arguments.to, arguments.p); }
#else
ISOVMAF_KERNEL(UNPACK_THREADS)
ISOVMAF_KERNEL_NAME(const SAMPLE *from, SAMPLE *to, UnpackParams p) { KERNEL_BODY::unpack_sample({from}, {to}, p); }
#endif

#undef KERNEL
#undef SAMPLE_BITS
#undef SAMPLE
#undef PACKED
#undef PLAIN
