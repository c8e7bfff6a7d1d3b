// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "hip/testing/amd/lane_operations.hpp"
#include "hip/testing/amd/numbers.hpp"

/// Floating-point numbers as bits.
namespace isovmaf::amd {

template <class F>
struct Format;
template <>
struct Format<F16> {
    static constexpr int fraction_bits = 10, exponent_bits = 5;
};
template <>
struct Format<F32> {
    static constexpr int fraction_bits = 23, exponent_bits = 8;
};
template <>
struct Format<F64> {
    static constexpr int fraction_bits = 52, exponent_bits = 11;
};

template <class F>
using Bits = bits_of<F>;

template <class F>
inline constexpr Bits<F> sign_bit = static_cast<Bits<F>>(U64{1}
                                                         << (Format<F>::fraction_bits + Format<F>::exponent_bits));
template <class F>
inline constexpr Bits<F> hidden_bit = static_cast<Bits<F>>(U64{1} << Format<F>::fraction_bits);
template <class F>
inline constexpr Bits<F> infinity = static_cast<Bits<F>>(sign_bit<F> - hidden_bit<F>);
template <class F>
inline constexpr Bits<F> quiet_bit = static_cast<Bits<F>>(hidden_bit<F> >> 1);
template <class F>
inline constexpr int bias = (1 << (Format<F>::exponent_bits - 1)) - 1;

/// What an operation gives that has no result and no NaN among its sources.
template <class F>
inline constexpr F default_nan{static_cast<Bits<F>>(infinity<F> | quiet_bit<F>)};

template <class F>
constexpr Bits<F> magnitude(F a) {
    return static_cast<Bits<F>>(a.bits & ~sign_bit<F>);
}
template <class F>
constexpr bool is_negative(F a) {
    return (a.bits & sign_bit<F>) != 0;
}
template <class F>
constexpr bool is_nan(F a) {
    return magnitude(a) > infinity<F>;
}
template <class F>
constexpr bool is_signalling(F a) {
    return is_nan(a) && (a.bits & quiet_bit<F>) == 0;
}
template <class F>
constexpr bool is_infinite(F a) {
    return magnitude(a) == infinity<F>;
}
template <class F>
constexpr bool is_finite(F a) {
    return magnitude(a) < infinity<F>;
}
template <class F>
constexpr bool is_zero(F a) {
    return magnitude(a) == 0;
}
template <class F>
constexpr bool is_subnormal(F a) {
    return magnitude(a) != 0 && magnitude(a) < hidden_bit<F>;
}

/// The field of the exponent: 0 for subnormal numbers.
template <class F>
constexpr int exponent_field(F a) {
    return static_cast<int>(magnitude(a) >> Format<F>::fraction_bits);
}

template <class F>
constexpr F quiet(F a) {
    return {static_cast<Bits<F>>(a.bits | quiet_bit<F>)};
}
template <class F>
constexpr F with_sign(Bits<F> magnitude_bits, bool negative) {
    return {static_cast<Bits<F>>(magnitude_bits | (negative ? sign_bit<F> : 0))};
}
template <class F>
constexpr F absolute(F a) {
    return {magnitude(a)};
}
template <class F>
constexpr F negated(F a) {
    return {static_cast<Bits<F>>(a.bits ^ sign_bit<F>)};
}

/// The number as one of the host, which has the same value. A NaN stays one.
constexpr float host(F32 a) { return std::bit_cast<float>(a.bits); }
constexpr double host(F64 a) { return std::bit_cast<double>(a.bits); }
constexpr F32 from_host(float a) { return {std::bit_cast<U32>(a)}; }
constexpr F64 from_host(double a) { return {std::bit_cast<U64>(a)}; }

constexpr double to_double(F64 a) { return host(a); }
constexpr double to_double(F32 a) { return static_cast<double>(host(a)); }
inline double to_double(F16 a) {
    constexpr int fraction_bits = Format<F16>::fraction_bits;
    const U64 sign = U64{is_negative(a)} << 63;
    const U64 payload = static_cast<U64>(magnitude(a) % hidden_bit<F16>) << (52 - fraction_bits);
    if (!is_finite(a))
        return std::bit_cast<double>(sign | infinity<F64> | payload);
    const int exponent = std::max(exponent_field(a), 1) - bias<F16> - fraction_bits;
    const U16 fraction = magnitude(a) % hidden_bit<F16>;
    const double value = std::ldexp(fraction + (exponent_field(a) > 0 ? hidden_bit<F16> : 0), exponent);
    return is_negative(a) ? -value : value;
}

template <class F>
constexpr Rounding rounding(const Modes &modes) {
    return std::is_same_v<F, F32> ? modes.round_f32 : modes.round_f64;
}
template <class F>
constexpr unsigned denormals(const Modes &modes) {
    return std::is_same_v<F, F32> ? modes.denormals_f32 : modes.denormals_f64;
}
template <class F>
constexpr F flushed(F a) {
    return is_subnormal(a) ? with_sign<F>(0, is_negative(a)) : a;
}

/// A source as the modes have it read, and a result as they have it written.
template <class F>
constexpr F source(const Modes &modes, F a) {
    return denormals<F>(modes) & 1 ? a : flushed(a);
}
template <class F>
constexpr F result(const Modes &modes, F a) {
    return denormals<F>(modes) & 2 ? a : flushed(a);
}

} // namespace isovmaf::amd
