// SPDX-License-Identifier: BSD-2-Clause-Patent
// Samples side by side, moved at once, for kernels. Their place is a multiple of the run's size.
#ifndef ISOVMAF_ADM_RUNS_H
#define ISOVMAF_ADM_RUNS_H

#include "portable/body.h"

ISOVMAF_POINTER(U8x4, u8vec4, 4);
ISOVMAF_POINTER(U16x4, u16vec4, 8);
ISOVMAF_POINTER(I16x4, i16vec4, 8);
ISOVMAF_POINTER(I32x4, i32vec4, 16);
ISOVMAF_POINTER(I16x2, i16vec2, 4);
ISOVMAF_POINTER(I32x2, i32vec2, 8);

// The type, the size in bytes and the run of four of the samples that a pointer leads to.
#define ADM_SAMPLE_U8 uint8_t
#define ADM_SAMPLE_U16 uint16_t
#define ADM_SAMPLE_I16 int16_t
#define ADM_SAMPLE_I32 int32_t
#define ADM_RUN_U8 u8vec4
#define ADM_RUN_U16 u16vec4
#define ADM_RUN_I16 i16vec4
#define ADM_RUN_I32 i32vec4
#define ADM_BYTES_U8 1
#define ADM_BYTES_U16 2
#define ADM_BYTES_I16 2
#define ADM_BYTES_I32 4

#endif
