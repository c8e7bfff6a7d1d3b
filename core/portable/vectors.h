// SPDX-License-Identifier: BSD-2-Clause-Patent
// GLSL's vectors of integers in C++: elements side by side, which one load or store moves at once. Their place in
// memory is a multiple of their size.
#ifndef ISOVMAF_VECTORS_H
#define ISOVMAF_VECTORS_H

#include "portable/portable.h"

template <class T, uint32_t count>
struct alignas(sizeof(T) * count) Vector {
    T elements[count];

    ISOVMAF_MEMBER T &operator[](int32_t i) { return elements[i]; }
    ISOVMAF_MEMBER const T &operator[](int32_t i) const { return elements[i]; }
};

using u8vec4 = Vector<uint8_t, 4>;
using u16vec4 = Vector<uint16_t, 4>;
using u32vec4 = Vector<uint32_t, 4>;
using i16vec2 = Vector<int16_t, 2>;
using i16vec4 = Vector<int16_t, 4>;
using i32vec2 = Vector<int32_t, 2>;
using i32vec4 = Vector<int32_t, 4>;

#endif
