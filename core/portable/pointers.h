// SPDX-License-Identifier: BSD-2-Clause-Patent
// Pointers to numbers, in C++ and in GLSL: body.h and kernel.glsl include this behind their ISOVMAF_POINTER.
ISOVMAF_POINTER(U8, uint8_t, 1);
ISOVMAF_POINTER(U16, uint16_t, 2);
ISOVMAF_POINTER(I16, int16_t, 2);
ISOVMAF_POINTER(U32, uint32_t, 4);
ISOVMAF_POINTER(I32, int32_t, 4);
ISOVMAF_POINTER(U64, uint64_t, 8);
ISOVMAF_POINTER(I64, int64_t, 8);
ISOVMAF_POINTER(F32, float, 4);
