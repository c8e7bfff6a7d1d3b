// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of the kernel that counts samples above the bit depth.
#ifndef ISOVMAF_SAMPLE_RANGE_PARAMS_H
#define ISOVMAF_SAMPLE_RANGE_PARAMS_H

#include "portable/integers.h"

#define SAMPLE_RANGE_THREADS 256
#define SAMPLE_RANGE_SAMPLES 4 // of a thread; a block reads a part of one row

struct SampleRangeParams {
    int32_t width; // of a row, in samples
    int32_t stride_bytes;
    int32_t bit_depth;
    int32_t count; // which of the counts the plane's samples are added to
};

#endif
