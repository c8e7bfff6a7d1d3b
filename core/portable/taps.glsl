// SPDX-License-Identifier: BSD-2-Clause-Patent
// Taps in GLSL (taps.h), under the names that body.h gives them in C++. With ISOVMAF_TAPS 0 nothing of them is left in
// a kernel. The kernel's block of arguments is called `arguments`.
#ifndef ISOVMAF_TAPS_GLSL
#define ISOVMAF_TAPS_GLSL

#include "portable/kernel.glsl"
#include "portable/taps.h"

#if ISOVMAF_TAPS

#define KernelTaps I64
#define ISOVMAF_TAPS_MEMBER I64 taps;
#define ISOVMAF_TAPS_ARGUMENT arguments.taps

// The pointer to the value at (x, y) of a stage. The stage has such a value.
I64 tap_place(I64 taps, int32_t stage, int32_t x, int32_t y) {
    const int32_t plane = ISOVMAF_TAPS_WORDS_PER_STAGE * stage;
    return pointer_after(I64, taps, 8 * (taps.at[plane] + y * taps.at[plane + 1] + x));
}
#define tap_put(taps, stage, x, y, value) tap_place(taps, stage, x, y).at[0] = int64_t(value)
#define tap_put_f32(taps, stage, x, y, value) tap_put(taps, stage, x, y, floatBitsToUint(value))
#define tap_add(taps, stage, x, y, value) atomic_add(tap_place(taps, stage, x, y), 0, int64_t(value))

#else

#define KernelTaps bool // GLSL has no empty structure
#define ISOVMAF_TAPS_MEMBER
#define ISOVMAF_TAPS_ARGUMENT false
#define tap_put(taps, stage, x, y, value)
#define tap_put_f32(taps, stage, x, y, value)
#define tap_add(taps, stage, x, y, value)

#endif

#endif
