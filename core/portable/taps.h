// SPDX-License-Identifier: BSD-2-Clause-Patent
// Taps: where an extraction leaves its intermediate values between samples and sums, so that two extractions can be
// compared stage by stage. Code that takes a type Tap gets Taps or NoTaps; with NoTaps nothing of the taps is left in
// it.
//
// The memory holds two words for each stage, the place of its plane and the distance between rows, both in words; then
// the planes. Words have the kinds of words.hpp: integers, or the bits of floats. What is never put is 0.
#ifndef ISOVMAF_TAPS_H
#define ISOVMAF_TAPS_H

#include "portable/portable.h"

#define ISOVMAF_TAPS_WORDS_PER_STAGE 2

#if !defined(VULKAN) // see taps.glsl

struct Taps {
    static constexpr bool on = true;
    int64_t *memory;

    // The place of the value at (x, y) of a stage. The stage has such a value.
    ISOVMAF_MEMBER int64_t *at(int32_t stage, int32_t x, int32_t y) const {
        const int64_t *const plane = memory + ISOVMAF_TAPS_WORDS_PER_STAGE * stage;
        return memory + plane[0] + y * plane[1] + x;
    }
    ISOVMAF_MEMBER void put(int32_t stage, int32_t x, int32_t y, int64_t value) const { *at(stage, x, y) = value; }
    ISOVMAF_MEMBER void put_f32(int32_t stage, int32_t x, int32_t y, float value) const {
        *at(stage, x, y) = int64_t(__builtin_bit_cast(uint32_t, value));
    }
};

struct NoTaps {
    static constexpr bool on = false;

    ISOVMAF_MEMBER void put(int32_t, int32_t, int32_t, int64_t) const {}
    ISOVMAF_MEMBER void put_f32(int32_t, int32_t, int32_t, float) const {}
};

#endif

#endif
