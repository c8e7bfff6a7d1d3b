// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/self_test_known.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "device/self_test_params.h"

namespace isovmaf {

namespace {

constexpr std::uint64_t bits(float v) { return std::bit_cast<std::uint32_t>(v); }
constexpr std::uint64_t bits(double v) { return std::bit_cast<std::uint64_t>(v); }
constexpr std::uint64_t bits(std::int64_t v) { return static_cast<std::uint64_t>(v); }

constexpr std::int64_t one = 1;

/// Floats are the correctly rounded results of exact rational arithmetic.
constexpr KnownAnswer answers[] = {
    {"arithmetic shift of a negative i32", {SELF_TEST_SHIFT_RIGHT_I32, bits(-one), 31, 0}, bits(-one)},
    {"arithmetic shift of a negative i32", {SELF_TEST_SHIFT_RIGHT_I32, bits(-12345 * one), 7, 0}, bits(-97 * one)},
    {"arithmetic shift of a negative i64", {SELF_TEST_SHIFT_RIGHT_I64, bits(INT64_MIN), 63, 0}, bits(-one)},
    {"arithmetic shift of a negative i64",
     {SELF_TEST_SHIFT_RIGHT_I64, bits(-(one << 40) - 1), 8, 0},
     bits(-(one << 32) - 1)},
    {"logical shift of a u64", {SELF_TEST_SHIFT_RIGHT_U64, 0xfedcba9876543210, 36, 0}, 0xfedcba9},
    {"left shift of a u64", {SELF_TEST_SHIFT_LEFT_U64, 0xfedcba9876543210, 36, 0}, 0x6543210000000000},
    {"product of two i64",
     {SELF_TEST_MULTIPLY_I64, bits(-3037000499 * one), bits(3037000499 * one), 0},
     bits(-9223372030926249001 * one)},
    {"product of two i64",
     {SELF_TEST_MULTIPLY_I64, bits(0x123456789 * one), bits(-0x7654321 * one), 0},
     bits(-0x86a1c974e1833a9 * one)},
    {"64-bit product of two i32",
     {SELF_TEST_MULTIPLY_WIDE, bits(INT32_MIN *one), bits(INT32_MIN *one), 0},
     0x4000000000000000},
    {"64-bit product of two i32",
     {SELF_TEST_MULTIPLY_WIDE, bits(-65535 * one), bits(65537 * one), 0},
     bits(-4294967295 * one)},
    {"quotient of two i64", {SELF_TEST_DIVIDE_I64, bits(-7 * one), 2, 0}, bits(-3 * one)},
    {"quotient of two i64",
     {SELF_TEST_DIVIDE_I64, bits(INT64_MIN), bits(4294967297 * one), 0},
     bits(-2147483647 * one)},
    {"highest bit of a u64", {SELF_TEST_FLOOR_LOG2, 1, 0, 0}, 0},
    {"highest bit of a u64", {SELF_TEST_FLOOR_LOG2, 0x123456789, 0, 0}, 32},
    {"bits of a u32", {SELF_TEST_BIT_COUNT, 0, 0, 0}, 0},
    {"bits of a u32", {SELF_TEST_BIT_COUNT, 0x80f00001, 0, 0}, 6},
    {"sum of four bytes and a u32", {SELF_TEST_ADD_BYTES, 0xff80017f, 0x10000, 0}, 0x101ff},
    {"sum of four bytes and a u32", {SELF_TEST_ADD_BYTES, 0xffffffff, 0xfffffc05, 0}, 1},

    // A fused operation keeps the product's low bits: it would give 2^-24, 2^0, 0x1.516f7p-22; and 2^-54, -2^-60.
    {"f32 product and sum in two roundings",
     {SELF_TEST_MULTIPLY_ADD_F32, bits(0x1.001p+0F), bits(0x1.001p+0F), bits(-0x1.002p+0F)},
     0},
    {"f32 product and sum in two roundings",
     {SELF_TEST_MULTIPLY_ADD_F32, bits(0x1.001p+12F), bits(0x1.001p+12F), bits(-0x1.002p+24F)},
     0},
    {"f32 product and sum in two roundings",
     {SELF_TEST_MULTIPLY_ADD_F32, bits(0x1.921fb6p+1F), bits(0x1.5bf0a8p+1F), bits(-0x1.114580p+3F)},
     0},
    {"f64 product and sum in two roundings",
     {SELF_TEST_MULTIPLY_ADD_F64, bits(0x1.0000002p+0), bits(0x1.0000002p+0), bits(-0x1.0000004p+0)},
     0},
    {"f64 product and sum in two roundings",
     {SELF_TEST_MULTIPLY_ADD_F64, bits(0x1.00000004p+0), bits(0x1.fffffff8p-1), bits(-1.0)},
     0},

    // Quotients next to the middle between two floats, where a reciprocal or one Newton step too few goes wrong.
    {"f32 quotient", {SELF_TEST_DIVIDE_F32, bits(0x1.e15208p+22F), bits(0x1.5bc8fap+23F), 0}, bits(0x1.624b2cp-1F)},
    {"f32 quotient", {SELF_TEST_DIVIDE_F32, bits(0x1.a2fdc6p+23F), bits(0x1.cb91cep+23F), 0}, bits(0x1.d2cad6p-1F)},
    {"f32 quotient", {SELF_TEST_DIVIDE_F32, bits(0x1.9a5c78p+23F), bits(0x1.bd69fep+23F), 0}, bits(0x1.d7b502p-1F)},
    {"f32 quotient", {SELF_TEST_DIVIDE_F32, bits(5.0F), bits(9.0F), 0}, bits(0x1.1c71c8p-1F)},
    {"f64 quotient",
     {SELF_TEST_DIVIDE_F64, bits(0x1.2def5c9b0083ep+51), bits(0x1.076ce87b0b125p+52), 0},
     bits(0x1.256c9063f0156p-1)},
    {"f64 quotient",
     {SELF_TEST_DIVIDE_F64, bits(0x1.fc6d913ff6ff8p+51), bits(0x1.77330d7210dffp+52), 0},
     bits(0x1.5ae7015f28701p-1)},
    {"f64 quotient",
     {SELF_TEST_DIVIDE_F64, bits(0x1.222d40af87c87p+52), bits(0x1.f17fdc6a53877p+52), 0},
     bits(0x1.2aa26f16510a3p-1)},
    {"f64 quotient", {SELF_TEST_DIVIDE_F64, bits(1.0), bits(3.0), 0}, bits(0x1.5555555555555p-2)},

    // Ties go to even; a detour through double would round 2^62 + 2^38 + 1 twice.
    {"f32 of an i64", {SELF_TEST_F32_OF_I64, bits((one << 24) + 1), 0, 0}, bits(0x1p+24F)},
    {"f32 of an i64", {SELF_TEST_F32_OF_I64, bits((one << 24) + 3), 0, 0}, bits(0x1.000004p+24F)},
    {"f32 of an i64", {SELF_TEST_F32_OF_I64, bits((one << 62) + (one << 38) + 1), 0, 0}, bits(0x1.000002p+62F)},
    {"f32 of an i64", {SELF_TEST_F32_OF_I64, bits(-(one << 62) - (one << 38) - 1), 0, 0}, bits(-0x1.000002p+62F)},
    {"f32 of an i64", {SELF_TEST_F32_OF_I64, bits(INT64_MIN), 0, 0}, bits(-0x1p+63F)},
    {"f64 of an i64", {SELF_TEST_F64_OF_I64, bits((one << 53) + 1), 0, 0}, bits(0x1p+53)},
    {"f64 of an i64", {SELF_TEST_F64_OF_I64, bits(-(one << 53) - 3), 0, 0}, bits(-0x1.0000000000002p+53)},
    {"f64 of an i64", {SELF_TEST_F64_OF_I64, bits(INT64_MAX), 0, 0}, bits(0x1p+63)},
};

constexpr std::uint64_t least_f32 = 1, greatest_denormal_f32 = 0x7fffff, greatest_f32 = 0x7f7fffff,
                        infinite_f32 = 0x7f800000;

constexpr KnownAnswer sum(std::uint64_t a, std::uint64_t b, std::uint64_t expected) {
    return {"f32 sum", {SELF_TEST_F32_ADD, a, b, 0}, expected};
}
constexpr KnownAnswer product(std::uint64_t a, std::uint64_t b, std::uint64_t expected) {
    return {"f32 product", {SELF_TEST_F32_MULTIPLY, a, b, 0}, expected};
}
constexpr KnownAnswer quotient(std::uint64_t a, std::uint64_t b, std::uint64_t expected) {
    return {"f32.h's quotient", {SELF_TEST_F32_DIVIDE, a, b, 0}, expected};
}
constexpr KnownAnswer unfused(float a, float b, float c, float expected) {
    return {"f32 product and sum in two roundings",
            {SELF_TEST_F32_MULTIPLY_ADD, bits(a), bits(b), bits(c)},
            bits(expected)};
}
constexpr KnownAnswer root(std::uint64_t v, std::uint64_t expected) {
    return {"f32 square root", {SELF_TEST_F32_SQRT, v, 0, 0}, expected};
}
constexpr KnownAnswer reciprocal_root(float v, float expected) {
    return {"f32 reciprocal root", {SELF_TEST_F32_RECIPROCAL_ROOT, bits(v), 0, 0}, bits(expected)};
}
constexpr KnownAnswer number(std::uint64_t v, float expected) {
    return {"f32 of a u32", {SELF_TEST_F32_OF_U32, v, 0, 0}, bits(expected)};
}

constexpr KnownAnswer f32_answers[] = {
    // Ties go to even, all else to the nearest.
    sum(bits(0x1p+24F), bits(1.0F), bits(0x1p+24F)),
    sum(bits(0x1.000002p+24F), bits(1.0F), bits(0x1.000004p+24F)),
    sum(bits(1.0F), bits(0x1.8p-24F), bits(0x1.000002p+0F)),
    sum(bits(-1.0F), bits(-0x1.8p-24F), bits(-0x1.000002p+0F)),
    sum(bits(1.0F), bits(-0x1.000002p-25F), bits(0x1.fffffep-1F)),
    sum(bits(0x1.000002p+0F), bits(-1.0F), bits(0x1p-23F)),
    // Denormals, alone and beside normal numbers.
    sum(least_f32, least_f32, 2),
    sum(greatest_denormal_f32, least_f32, bits(0x1p-126F)),
    sum(bits(0x1p-126F), bits(-0x0.fffffep-126F), least_f32),
    sum(bits(0x1p-125F), bits(-0x0.fffffep-126F), bits(0x1.000002p-126F)),
    sum(bits(0x1.000002p-110F), bits(-0x1p-110F), bits(0x1p-133F)),
    sum(bits(0x1p-100F), greatest_denormal_f32, bits(0x1p-100F)),
    // Zeros, and what is too large.
    sum(bits(0.0F), bits(-0.0F), bits(0.0F)),
    sum(bits(-0.0F), bits(-0.0F), bits(-0.0F)),
    sum(bits(-1.5F), bits(1.5F), bits(0.0F)),
    sum(greatest_f32, bits(0x1p+103F), infinite_f32),
    sum(infinite_f32, bits(-0x1p+127F), infinite_f32),

    product(bits(0x1.8p+0F), bits(0x1.000002p+0F), bits(0x1.800004p+0F)),
    product(bits(0x1.000002p+0F), bits(0x1.000002p+0F), bits(0x1.000004p+0F)),
    product(bits(-0x1.fffffep+0F), bits(0x1.fffffep+0F), bits(-0x1.fffffcp+1F)),
    product(bits(0x1p-100F), bits(0x1p-49F), least_f32),
    product(bits(0x1.8p-100F), bits(0x1p-49F), 2),
    product(bits(0x1p-75F), bits(0x1p-75F), bits(0.0F)),
    product(bits(0x1.fffffep-126F), bits(0.5F), bits(0x1p-126F)),
    product(bits(0x1.fffffcp-126F), bits(0.5F), greatest_denormal_f32),
    product(greatest_denormal_f32, bits(0x1p+127F), bits(0x1.fffffcp+0F)),
    product(least_f32, bits(-0x1p+30F), bits(-0x1p-119F)),
    product(bits(-0.0F), bits(3.0F), bits(-0.0F)),
    product(greatest_f32, bits(-2.0F), infinite_f32 | 0x80000000),
    product(infinite_f32, bits(-0x1p-126F), infinite_f32 | 0x80000000),

    unfused(0x1.001p+0F, 0x1.001p+0F, -0x1.002p+0F, 0),
    unfused(0x1.001p+12F, 0x1.001p+12F, -0x1.002p+24F, 0),
    unfused(0x1.921fb6p+1F, 0x1.5bf0a8p+1F, -0x1.114580p+3F, 0),
    unfused(0x1p-100F, -0x1p-40F, 0x1p-126F, 0x1.fff8p-127F),

    // Next to ties, at both ends of the range, and exact.
    root(bits(2.0F), bits(0x1.6a09e6p+0F)),
    root(bits(3.0F), bits(0x1.bb67aep+0F)),
    root(bits(0x1.000002p+0F), bits(1.0F)),
    root(bits(0x1.000004p+0F), bits(0x1.000002p+0F)),
    root(bits(0x1.fffffep-1F), bits(0x1.fffffep-1F)),
    root(bits(0x1.fffffep+1F), bits(0x1.fffffep+0F)),
    root(least_f32, bits(0x1.6a09e6p-75F)),
    root(greatest_denormal_f32, bits(0x1.fffffep-64F)),
    root(greatest_f32, bits(0x1.fffffep+63F)),
    root(bits(0x1.fffffcp+1F), bits(0x1.fffffep+0F)),
    root(bits(16777225.0F), bits(0x1.000004p+12F)),
    root(bits(0.0F), bits(0.0F)),

    quotient(bits(0x1.e15208p+22F), bits(0x1.5bc8fap+23F), bits(0x1.624b2cp-1F)),
    quotient(bits(0x1.a2fdc6p+23F), bits(-0x1.cb91cep+23F), bits(-0x1.d2cad6p-1F)),
    quotient(bits(1.0F), bits(0x1.fffffep+0F), bits(0x1.000002p-1F)),
    quotient(bits(0x1.fffffep+0F), bits(0x1.fffffcp+0F), bits(0x1.000002p+0F)),
    quotient(bits(0x1.8p+1F), bits(-0x1.8p+0F), bits(-2.0F)),
    quotient(bits(0x1.fffffcp+0F), bits(0x1.fffffep+0F), bits(0x1.fffffep-1F)),
    quotient(least_f32, bits(0x1p-30F), bits(0x1p-119F)),
    quotient(bits(-0x1p-30F), greatest_denormal_f32, bits(-0x1.000002p+96F)),
    quotient(bits(1.0F), greatest_f32, bits(0x1p-128F)),
    quotient(bits(0x1.8p-126F), bits(0x1p+23F), 2), // ties of denormals
    quotient(bits(0x1.4p-126F), bits(0x1p+22F), 2),
    quotient(bits(0.0F), bits(3.0F), bits(0.0F)),
    quotient(bits(-0.0F), bits(3.0F), bits(-0.0F)),
    quotient(greatest_f32, bits(-0.5F), infinite_f32 | 0x80000000),
    quotient(bits(-1.0F), infinite_f32, bits(-0.0F)),

    // Next to the middle between two results, and exact.
    reciprocal_root(1.0F, 1.0F),
    reciprocal_root(0x1.000002p+0F, 0x1.fffffep-1F),
    reciprocal_root(0x1.745472p+0F, 0x1.a88c18p-1F),
    reciprocal_root(0x1.a4411ep+0F, 0x1.8f9b9p-1F),
    reciprocal_root(0x1.da646p+0F, 0x1.781d92p-1F),
    reciprocal_root(2.0F, 0x1.6a09e6p-1F),

    number(0xffffff, 0x1.fffffep+23F),
    number(0x1000001, 0x1p+24F),
    number(0x1000003, 0x1.000004p+24F),
    number(0x2000007, 0x1.000004p+25F),
    number(0xffffff7f, 0x1.fffffep+31F),
    number(0xffffff80, 0x1p+32F),
};

constexpr bool can_be_quick(const KnownAnswer &answer) {
    const std::int64_t operation = answer.probe.operation;
    return operation == SELF_TEST_F32_ADD || operation == SELF_TEST_F32_MULTIPLY ||
           operation == SELF_TEST_F32_MULTIPLY_ADD || operation == SELF_TEST_F32_DIVIDE;
}

/// The same question to quick operations. What is zero, denormal or infinite has to be done again on every device.
constexpr KnownAnswer quick(KnownAnswer answer) {
    const std::uint64_t magnitude = answer.expected & 0x7fffffff;
    const bool is_redone = magnitude < F32_LEADING || magnitude >= infinite_f32;
    answer.probe.operation |= SELF_TEST_F32_QUICK | (is_redone ? SELF_TEST_F32_REDONE : 0);
    return answer;
}

constexpr auto whole_and_quick_f32_answers = [] {
    std::array<KnownAnswer, std::size(f32_answers) + std::ranges::count_if(f32_answers, can_be_quick)> all;
    auto end = std::ranges::copy(f32_answers, all.begin()).out;
    for (const KnownAnswer &answer : f32_answers)
        if (can_be_quick(answer))
            *end++ = quick(answer);
    return all;
}();
static_assert(std::size(answers) + std::size(whole_and_quick_f32_answers) <= SELF_TEST_MOST_PROBES);

template <class T>
void append_reductions(std::span<const std::uint64_t> elements, std::vector<std::uint64_t> &results) {
    const T first = self_test_value<T>(elements[0]);
    T sum = 0, least = first, greatest = first;
    for (const std::uint64_t element : elements) {
        const T value = self_test_value<T>(element);
        sum = T(sum + value);
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
    for (const T result : {sum, least, greatest})
        results.push_back(static_cast<std::uint64_t>(result));
}

} // namespace

std::span<const KnownAnswer> known_answers() { return answers; }
std::span<const KnownAnswer> known_f32_answers() { return whole_and_quick_f32_answers; }

std::vector<std::uint64_t> known_reductions(std::span<const std::uint64_t> elements, std::size_t count) {
    std::vector<std::uint64_t> results;
    append_reductions<std::int32_t>(elements.first(count), results);
    append_reductions<std::uint32_t>(elements.first(count), results);
    append_reductions<std::int64_t>(elements.first(count), results);
    append_reductions<std::uint64_t>(elements.first(count), results);
    return results;
}

std::int64_t known_sum(std::span<const std::uint64_t> elements, int step) {
    std::int64_t block = 0, sum = 0;
    for (const std::uint64_t element : elements.first(SELF_TEST_SUM_THREADS))
        block += self_test_value<std::int64_t>(element);
    for (int group = 0; group < SELF_TEST_SUM_GROUPS; group++)
        sum += block * (1 + group * step);
    return sum;
}

std::vector<std::uint32_t> known_shared(std::span<const std::uint64_t> elements) {
    std::uint32_t sum = 0, least = ~0U, all = 0, bytes = 0, halves = 0;
    for (std::uint32_t thread = 0; thread < SELF_TEST_SUM_THREADS; thread++) {
        const auto element = static_cast<std::uint32_t>(elements[thread]);
        sum += element;
        least = std::min(least, element);
        all |= element & 1U << thread % 32;
        bytes += thread * static_cast<std::uint8_t>(element);
        halves += thread * static_cast<std::uint16_t>(element);
    }
    std::vector<std::uint32_t> results{sum, least, all, bytes, halves};
    results.insert(results.end(), SELF_TEST_BIT_WORDS, ~0U);
    return results;
}

} // namespace isovmaf
