// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of the kernels that make a plane plain.
#ifndef ISOVMAF_UNPACK_PARAMS_H
#define ISOVMAF_UNPACK_PARAMS_H

#include "portable/integers.h"

#define UNPACK_THREADS 256

struct UnpackParams {
    int32_t width; // of a row, in samples; each row has blocks of its own
    int32_t from_stride_bytes;
    int32_t to_stride_bytes;
    int32_t step;  // from a sample to the next, in samples
    int32_t shift; // a sample is the stored word without so many of its lowest bits
};

#endif
