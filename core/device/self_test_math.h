// SPDX-License-Identifier: BSD-2-Clause-Patent
// Probes of the self-test: one operation each, on operands that come from memory so that no compiler knows them.
#ifndef ISOVMAF_SELF_TEST_MATH_H
#define ISOVMAF_SELF_TEST_MATH_H

#include "portable/portable.h"

enum SelfTestOperation {
    SELF_TEST_SHIFT_RIGHT_I32,
    SELF_TEST_SHIFT_RIGHT_I64,
    SELF_TEST_SHIFT_RIGHT_U64,
    SELF_TEST_SHIFT_LEFT_U64,
    SELF_TEST_MULTIPLY_I64,
    SELF_TEST_MULTIPLY_WIDE, // 32-bit operands, 64-bit product
    SELF_TEST_DIVIDE_I64,
    SELF_TEST_FLOOR_LOG2,
    SELF_TEST_MULTIPLY_ADD_F32,
    SELF_TEST_MULTIPLY_ADD_F64,
    SELF_TEST_DIVIDE_F32,
    SELF_TEST_DIVIDE_F64,
    SELF_TEST_F32_OF_I64,
    SELF_TEST_F64_OF_I64
};

// Operands and results are bit patterns of the operation's types in the low bits.
struct SelfTestProbe {
    int64_t operation;
    uint64_t a, b, c;
};

ISOVMAF_FN float self_test_f32(uint64_t bits) { return __builtin_bit_cast(float, uint32_t(bits)); }
ISOVMAF_FN double self_test_f64(uint64_t bits) { return __builtin_bit_cast(double, bits); }
ISOVMAF_FN uint64_t self_test_bits(float v) { return __builtin_bit_cast(uint32_t, v); }
ISOVMAF_FN uint64_t self_test_bits(double v) { return __builtin_bit_cast(uint64_t, v); }

ISOVMAF_FN uint64_t self_test_result(SelfTestProbe p) {
    switch (p.operation) {
    case SELF_TEST_SHIFT_RIGHT_I32: return uint64_t(int64_t(int32_t(p.a) >> int32_t(p.b)));
    case SELF_TEST_SHIFT_RIGHT_I64: return uint64_t(int64_t(p.a) >> int32_t(p.b));
    case SELF_TEST_SHIFT_RIGHT_U64: return p.a >> int32_t(p.b);
    case SELF_TEST_SHIFT_LEFT_U64: return p.a << int32_t(p.b);
    case SELF_TEST_MULTIPLY_I64: return uint64_t(int64_t(p.a) * int64_t(p.b));
    case SELF_TEST_MULTIPLY_WIDE: return uint64_t(int64_t(int32_t(p.a)) * int32_t(p.b));
    case SELF_TEST_DIVIDE_I64: return uint64_t(int64_t(p.a) / int64_t(p.b));
    case SELF_TEST_FLOOR_LOG2: return uint64_t(floor_log2(p.a));
    case SELF_TEST_MULTIPLY_ADD_F32:
        return self_test_bits(self_test_f32(p.a) * self_test_f32(p.b) + self_test_f32(p.c));
    case SELF_TEST_MULTIPLY_ADD_F64:
        return self_test_bits(self_test_f64(p.a) * self_test_f64(p.b) + self_test_f64(p.c));
    case SELF_TEST_DIVIDE_F32: return self_test_bits(self_test_f32(p.a) / self_test_f32(p.b));
    case SELF_TEST_DIVIDE_F64: return self_test_bits(self_test_f64(p.a) / self_test_f64(p.b));
    case SELF_TEST_F32_OF_I64: return self_test_bits(float(int64_t(p.a)));
    case SELF_TEST_F64_OF_I64: return self_test_bits(double(int64_t(p.a)));
    }
    return 0;
}

// Elements of reductions: signed ones leave room for their sum, unsigned ones may wrap around.
template <class T>
ISOVMAF_FN T self_test_value(uint64_t bits) {
    constexpr bool is_signed = T(-1) < T(0);
    return T(T(bits) >> (is_signed ? sizeof(T) == 8 ? 24 : 11 : 0));
}

#endif
