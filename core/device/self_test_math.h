// SPDX-License-Identifier: BSD-2-Clause-Patent
// Probes of the self-test: one operation each, on operands that come from memory so that no compiler knows them.
#ifndef ISOVMAF_SELF_TEST_MATH_H
#define ISOVMAF_SELF_TEST_MATH_H

#include "portable/f32.h"
#include "portable/products.h"

#define SELF_TEST_SHIFT_RIGHT_I32 0
#define SELF_TEST_SHIFT_RIGHT_I64 1
#define SELF_TEST_SHIFT_RIGHT_U64 2
#define SELF_TEST_SHIFT_LEFT_U64 3
#define SELF_TEST_MULTIPLY_I64 4
#define SELF_TEST_MULTIPLY_WIDE 5 // 32-bit operands, 64-bit product
#define SELF_TEST_DIVIDE_I64 6
#define SELF_TEST_FLOOR_LOG2 7
#define SELF_TEST_MULTIPLY_ADD_F32 8
#define SELF_TEST_MULTIPLY_ADD_F64 9
#define SELF_TEST_DIVIDE_F32 10
#define SELF_TEST_DIVIDE_F64 11
#define SELF_TEST_F32_OF_I64 12
#define SELF_TEST_F64_OF_I64 13
// The functions of f32.h. MULTIPLY_ADD_F32 above is what kernels do without them: in shaders that is integers.
#define SELF_TEST_F32_ADD 14
#define SELF_TEST_F32_MULTIPLY 15
#define SELF_TEST_F32_MULTIPLY_ADD 16
#define SELF_TEST_F32_SQRT 17
#define SELF_TEST_F32_OF_U32 18
#define SELF_TEST_F32_DIVIDE 19

#define SELF_TEST_BIT_COUNT 20
#define SELF_TEST_ADD_BYTES 21
#define SELF_TEST_F32_RECIPROCAL_ROOT 22

// Beside ADD, MULTIPLY, MULTIPLY_ADD and DIVIDE of f32.h: in quick operations first, and once more unless these are
// right. Beside that: no quick result may be declared right where shaders leave out what it takes.
#define SELF_TEST_F32_QUICK 32
#define SELF_TEST_F32_REDONE 64
#define SELF_TEST_F32_DECLARED_RIGHT (uint64_t(1) << 32) // of a result

// Operands and results are bit patterns of the operation's types in the low bits.
struct SelfTestProbe {
    int64_t operation;
    uint64_t a, b, c;
};

#if defined(VULKAN)
// Shaders calculate with binary64.h, so that is what is probed. What f64 gives for f32 operands, rounded to f32, is
// what f32 gives.
ISOVMAF_FN uint64_t self_test_multiply_add_f32(uint64_t a, uint64_t b, uint64_t c) {
    const uint32_t product = f32_of_f64(f64_multiply(f64_of_f32(uint32_t(a)), f64_of_f32(uint32_t(b))));
    return uint64_t(f32_of_f64(f64_add(f64_of_f32(product), f64_of_f32(uint32_t(c)))));
}
ISOVMAF_FN uint64_t self_test_multiply_add_f64(uint64_t a, uint64_t b, uint64_t c) {
    return f64_add(f64_multiply(a, b), c);
}
ISOVMAF_FN uint64_t self_test_divide_f32(uint64_t a, uint64_t b) {
    return uint64_t(f32_of_f64(f64_divide(f64_of_f32(uint32_t(a)), f64_of_f32(uint32_t(b)))));
}
ISOVMAF_FN uint64_t self_test_divide_f64(uint64_t a, uint64_t b) { return f64_divide(a, b); }
ISOVMAF_FN uint64_t self_test_f32_of_i64(uint64_t a) { return uint64_t(f32_of_i64(int64_t(a))); }
ISOVMAF_FN uint64_t self_test_f64_of_i64(uint64_t a) { return f64_of_i64(int64_t(a)); }
#else
ISOVMAF_FN float self_test_f32(uint64_t bits) { return __builtin_bit_cast(float, uint32_t(bits)); }
ISOVMAF_FN double self_test_f64(uint64_t bits) { return __builtin_bit_cast(double, bits); }
ISOVMAF_FN uint64_t self_test_bits(float v) { return __builtin_bit_cast(uint32_t, v); }
ISOVMAF_FN uint64_t self_test_bits(double v) { return __builtin_bit_cast(uint64_t, v); }

ISOVMAF_FN uint64_t self_test_multiply_add_f32(uint64_t a, uint64_t b, uint64_t c) {
    return self_test_bits(self_test_f32(a) * self_test_f32(b) + self_test_f32(c));
}
ISOVMAF_FN uint64_t self_test_multiply_add_f64(uint64_t a, uint64_t b, uint64_t c) {
    return self_test_bits(self_test_f64(a) * self_test_f64(b) + self_test_f64(c));
}
ISOVMAF_FN uint64_t self_test_divide_f32(uint64_t a, uint64_t b) {
    return self_test_bits(self_test_f32(a) / self_test_f32(b));
}
ISOVMAF_FN uint64_t self_test_divide_f64(uint64_t a, uint64_t b) {
    return self_test_bits(self_test_f64(a) / self_test_f64(b));
}
ISOVMAF_FN uint64_t self_test_f32_of_i64(uint64_t a) { return self_test_bits(float(int64_t(a))); }
ISOVMAF_FN uint64_t self_test_f64_of_i64(uint64_t a) { return self_test_bits(double(int64_t(a))); }
#endif

// The operations that may be quick.
ISOVMAF_FN float self_test_f32_as(bool quick, int32_t operation, float a, float b, float c) {
    switch (operation) {
    case SELF_TEST_F32_ADD:
        return f32_add_as(quick, a, b);
    case SELF_TEST_F32_MULTIPLY:
        return f32_multiply_as(quick, a, b);
    case SELF_TEST_F32_MULTIPLY_ADD:
        return f32_add_as(quick, f32_multiply_as(quick, a, b), c);
    }
    return f32_divide_as(quick, a, b);
}

ISOVMAF_FN uint64_t self_test_quick_result(int32_t operation, float a, float b, float c) {
    const int32_t whole = operation & (SELF_TEST_F32_QUICK - 1);
    f32_begin_quick();
    const float quick = self_test_f32_as(true, whole, a, b, c);
    const bool is_right = f32_quick_is_right();
    const uint64_t result = uint64_t(f32_bits(is_right ? quick : self_test_f32_as(false, whole, a, b, c)));
    const bool is_redone = (operation & SELF_TEST_F32_REDONE) != 0;
    return F32_QUICK_LEAVES_OUT && is_redone && is_right ? result | SELF_TEST_F32_DECLARED_RIGHT : result;
}

ISOVMAF_FN uint64_t self_test_f32_result(SelfTestProbe p) {
    const float a = f32_of_bits(uint32_t(p.a)), b = f32_of_bits(uint32_t(p.b)), c = f32_of_bits(uint32_t(p.c));
    const int32_t operation = int32_t(p.operation);
    if ((operation & SELF_TEST_F32_QUICK) != 0)
        return self_test_quick_result(operation, a, b, c);
    switch (operation) {
    case SELF_TEST_F32_ADD:
    case SELF_TEST_F32_MULTIPLY:
    case SELF_TEST_F32_MULTIPLY_ADD:
    case SELF_TEST_F32_DIVIDE:
        return uint64_t(f32_bits(self_test_f32_as(false, operation, a, b, c)));
    case SELF_TEST_F32_SQRT:
        return uint64_t(f32_bits(f32_sqrt(a)));
    case SELF_TEST_F32_RECIPROCAL_ROOT:
        return uint64_t(f32_bits(f32_reciprocal_root(a)));
    case SELF_TEST_F32_OF_U32:
        return uint64_t(f32_bits(f32_of_u32(uint32_t(p.a))));
    }
    return uint64_t(0);
}

ISOVMAF_FN uint64_t self_test_result(SelfTestProbe p) {
    switch (int32_t(p.operation)) {
    case SELF_TEST_SHIFT_RIGHT_I32:
        return uint64_t(int64_t(int32_t(p.a) >> int32_t(p.b)));
    case SELF_TEST_SHIFT_RIGHT_I64:
        return uint64_t(int64_t(p.a) >> int32_t(p.b));
    case SELF_TEST_SHIFT_RIGHT_U64:
        return p.a >> int32_t(p.b);
    case SELF_TEST_SHIFT_LEFT_U64:
        return p.a << int32_t(p.b);
    case SELF_TEST_MULTIPLY_I64:
        return uint64_t(int64_t(p.a) * int64_t(p.b));
    case SELF_TEST_MULTIPLY_WIDE:
        return uint64_t(int64_t(int32_t(p.a)) * int32_t(p.b));
    case SELF_TEST_DIVIDE_I64:
        return uint64_t(int64_t(p.a) / int64_t(p.b));
    case SELF_TEST_FLOOR_LOG2:
        return uint64_t(floor_log2(p.a));
    case SELF_TEST_BIT_COUNT:
        return uint64_t(bit_count(uint32_t(p.a)));
    case SELF_TEST_ADD_BYTES:
        return uint64_t(add_bytes(uint32_t(p.a), uint32_t(p.b)));
    case SELF_TEST_MULTIPLY_ADD_F32:
        return self_test_multiply_add_f32(p.a, p.b, p.c);
    case SELF_TEST_MULTIPLY_ADD_F64:
        return self_test_multiply_add_f64(p.a, p.b, p.c);
    case SELF_TEST_DIVIDE_F32:
        return self_test_divide_f32(p.a, p.b);
    case SELF_TEST_DIVIDE_F64:
        return self_test_divide_f64(p.a, p.b);
    case SELF_TEST_F32_OF_I64:
        return self_test_f32_of_i64(p.a);
    case SELF_TEST_F64_OF_I64:
        return self_test_f64_of_i64(p.a);
    }
    return self_test_f32_result(p);
}

// Elements of reductions: their type's lowest bits, shifted right if it is signed, which leaves room for their sum;
// unsigned ones may wrap around.
#define SELF_TEST_ROOM_I32 11
#define SELF_TEST_ROOM_I64 24

#if !defined(VULKAN)
template <class T>
ISOVMAF_FN T self_test_value(uint64_t bits) {
    constexpr bool is_signed = T(-1) < T(0);
    return T(T(bits) >> (is_signed ? sizeof(T) == 8 ? SELF_TEST_ROOM_I64 : SELF_TEST_ROOM_I32 : 0));
}
#endif

#endif
