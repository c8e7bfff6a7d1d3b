// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <string>

#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/float_arithmetic.hpp"
#include "hip/testing/amd/operation_table.hpp"

/// The instructions around a division. v_div_scale moves numerator or denominator out of the way of overflow and
/// underflow, v_div_fmas makes the last step and takes the scale back, v_div_fixup sets the special cases.
namespace isovmaf::amd {
namespace {

/// By how many powers of two v_div_scale scales, and the distances of exponents at which it does.
template <class F>
struct Scale;
template <>
struct Scale<F32> {
    static constexpr int step = 64, near_overflow = 96, tiny_numerator = 23, underflow = 150;
};
template <>
struct Scale<F64> {
    static constexpr int step = 128, near_overflow = 768, tiny_numerator = 53, underflow = 1075;
};

/// Whether numerator / denominator, both finite and not 0, lies below the normal numbers.
template <class F>
bool quotient_is_subnormal(F numerator, F denominator) {
    int upper = 0, lower = 0;
    const double top = std::frexp(std::abs(to_double(numerator)), &upper);
    const double bottom = std::frexp(std::abs(to_double(denominator)), &lower);
    return upper - lower - (top < bottom) < 1 - bias<F>;
}

template <class F>
F one() {
    return {static_cast<Bits<F>>(static_cast<Bits<F>>(bias<F>) << Format<F>::fraction_bits)};
}

/// A number times a power of two, with subnormal numbers in every mode.
template <class F>
F stepped(const Modes &modes, F a, int exponent) {
    Modes all = modes;
    all.denormals_f32 = all.denormals_f64 = 3;
    return scaled(all, a, exponent);
}

template <class F>
Both<F, bool> scaled_for_division(const Modes &modes, F a, F denominator, F numerator) {
    constexpr int step = Scale<F>::step;
    const bool is_denominator = a.bits == denominator.bits, is_numerator = a.bits == numerator.bits;
    if (is_zero(numerator) || is_zero(denominator))
        return {default_nan<F>, false};
    if (!is_finite(numerator) || !is_finite(denominator))
        return {a, false};
    if (exponent_field(numerator) - exponent_field(denominator) >= Scale<F>::near_overflow)
        return {is_denominator ? stepped(modes, a, step) : a, true};
    if (is_subnormal(denominator))
        return {stepped(modes, a, step), false};
    const bool inverse_subnormal = quotient_is_subnormal(one<F>(), denominator);
    const bool subnormal = quotient_is_subnormal(numerator, denominator);
    if (inverse_subnormal && subnormal)
        return {is_denominator ? stepped(modes, a, -step) : a, true};
    if (inverse_subnormal)
        return {stepped(modes, a, -step), false};
    if (subnormal)
        return {is_numerator ? stepped(modes, a, step) : a, true};
    if (exponent_field(numerator) <= Scale<F>::tiny_numerator)
        return {stepped(modes, a, step), false};
    return {a, false};
}

/// a * b + c, rounded once. If v_div_scale has scaled numerator or denominator alone, the scale is taken back: upwards
/// if the quotient is so large that the denominator was made larger, else downwards.
template <class F>
F fused_for_division(const Modes &modes, F a, F b, F c, bool is_scaled) {
    if (!is_scaled || !is_finite(a) || !is_finite(b) || !is_finite(c))
        return fused(modes, a, b, c);
    ExactNumber exact = exact_fused(source(modes, a), source(modes, b), source(modes, c), rounding<F>(modes));
    exact.exponent += exponent_field(c) > bias<F> ? Scale<F>::step : -Scale<F>::step;
    return result(modes, rounded<F>(exact, rounding<F>(modes)));
}

template <class F>
F fixed_up(const Modes &modes, F quotient, F denominator, F numerator) {
    const bool negative = is_negative(denominator) != is_negative(numerator);
    if (is_nan(numerator) || is_nan(denominator))
        return quiet(is_nan(numerator) ? numerator : denominator);
    if ((is_zero(denominator) && is_zero(numerator)) || (is_infinite(denominator) && is_infinite(numerator)))
        return negated(default_nan<F>);
    if (is_zero(denominator) || is_infinite(numerator))
        return with_sign<F>(infinity<F>, negative);
    if (is_infinite(denominator) || is_zero(numerator))
        return with_sign<F>(0, negative);
    if constexpr (!std::is_same_v<F, F16>) {
        if (exponent_field(numerator) - exponent_field(denominator) < -Scale<F>::underflow)
            return result(modes, rounded<F>({negative, 1, -2000}, rounding<F>(modes)));
    }
    // A quotient that is too large is one that the steps before have lost.
    if (is_nan(quotient))
        return with_sign<F>(infinity<F>, negative);
    return with_sign<F>(magnitude(quotient), negative);
}

template <class F>
void add_all(OperationTable &table, const std::string &type) {
    table.add("v_div_scale_" + type, numeric<Flagged<F>(F, F, F)>([](const Modes &m, F a, F b, F c) {
                  return scaled_for_division(m, a, b, c);
              }));
    table.add("v_div_fmas_" + type, numeric<F(F, F, F, Condition)>([](const Modes &m, F a, F b, F c, bool is_scaled) {
                  return fused_for_division(m, a, b, c, is_scaled);
              }));
}

} // namespace

void add_divisions(OperationTable &table) {
    add_all<F32>(table, "f32");
    add_all<F64>(table, "f64");
    table.add("v_div_fixup_f16", keeping(numeric<F16(F16, F16, F16)>(
                                     [](const Modes &m, F16 a, F16 b, F16 c) { return fixed_up(m, a, b, c); })));
    table.add("v_div_fixup_f32",
              numeric<F32(F32, F32, F32)>([](const Modes &m, F32 a, F32 b, F32 c) { return fixed_up(m, a, b, c); }));
    table.add("v_div_fixup_f64",
              numeric<F64(F64, F64, F64)>([](const Modes &m, F64 a, F64 b, F64 c) { return fixed_up(m, a, b, c); }));
}

} // namespace isovmaf::amd
