// SPDX-License-Identifier: BSD-2-Clause-Patent
// Samples side by side, moved at once, as in adm_run.h. Their place is a multiple of the run's size.
#ifndef ISOVMAF_ADM_RUN_GLSL
#define ISOVMAF_ADM_RUN_GLSL

#include "portable/kernel.glsl"

ISOVMAF_POINTER(U8x4, u8vec4, 4);
ISOVMAF_POINTER(U16x4, u16vec4, 8);
ISOVMAF_POINTER(I16x4, i16vec4, 8);
ISOVMAF_POINTER(I32x4, i32vec4, 16);
ISOVMAF_POINTER(I16x2, i16vec2, 4);
ISOVMAF_POINTER(I32x2, i32vec2, 8);

#endif
