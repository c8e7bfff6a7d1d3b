// SPDX-License-Identifier: BSD-2-Clause-Patent
// Parameters of the kernel that copies bytes.
#ifndef ISOVMAF_COPY_PAIR_PARAMS_H
#define ISOVMAF_COPY_PAIR_PARAMS_H

#include "portable/integers.h"

#define COPY_PAIR_THREADS 256
#define COPY_PAIR_BYTES 16 // that a thread copies

struct CopyPairParams {
    int32_t bytes; // of each copy
};

#endif
