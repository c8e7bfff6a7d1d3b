// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels of CAMBI: of a picture, of one scale after the other, of the c-values of all scales, and of their sums.
// The counts' number is that of values that a block counts at a time.
//
//! f32 arithmetic: cambi_counts_40 cambi_counts_72

#define KERNEL cambi_picture_8
#define SAMPLE_BITS 8
#include "features/cambi/cambi_picture_kernel.h"

#define KERNEL cambi_picture_16
#define SAMPLE_BITS 16
#include "features/cambi/cambi_picture_kernel.h"

#define KERNEL cambi_filter
#include "features/cambi/cambi_filter_kernel.h"

#define KERNEL cambi_counts_40
#define SLOTS 40
#include "features/cambi/cambi_counts_kernel.h"

#define KERNEL cambi_counts_72
#define SLOTS 72
#include "features/cambi/cambi_counts_kernel.h"

#define KERNEL cambi_pooling
#include "features/cambi/cambi_pooling_kernel.h"
