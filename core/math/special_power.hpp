// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "math/format.hpp"

/// What x^y is where no logarithm is needed: C's Annex F, for both formats.
namespace isovmaf::math {

/// A power that is known, or the sign of one that is still to be computed from the magnitude of its base.
template <class Number>
struct SpecialPower {
    bool is_known = false;
    Number value = 0;
    bool is_negative = false;
};

template <class Format, class Fused>
bool is_special(typename Format::Bits base, typename Format::Bits exponent) {
    using Bits = typename Format::Bits;
    constexpr Bits least_normal = Bits{1} << Format::fraction_bits, one = 1; // one: a carry out of the sign is wanted
    const bool normal_base = static_cast<Bits>(base - least_normal) < Format::infinity - least_normal;
    const Bits magnitude = exponent & ~Format::sign;
    return !normal_base || static_cast<Bits>(magnitude - one) >= Format::infinity - one;
}

enum class Parity { fraction, odd, even };

template <class Format, class Fused>
Parity parity_of(typename Format::Bits value) {
    using Bits = typename Format::Bits;
    const int exponent = static_cast<int>((value & Format::exponent) >> Format::fraction_bits) - Format::bias;
    if (exponent < 0)
        return Parity::fraction; // not zero: that is known
    if (exponent > Format::fraction_bits)
        return Parity::even;
    const Bits unit = Bits{1} << (Format::fraction_bits - exponent);
    if ((value & (unit - 1)) != 0)
        return Parity::fraction;
    return (value & unit) != 0 ? Parity::odd : Parity::even; // the unit of 1 is the exponent's lowest bit, which is set
}

template <class Format, class Fused>
bool is_nan(typename Format::Bits value) {
    return (value & ~Format::sign) > Format::infinity;
}

template <class Format, class Fused>
bool is_signaling(typename Format::Bits value) {
    constexpr auto quiet = typename Format::Bits{1} << (Format::fraction_bits - 1);
    return is_nan<Format, Fused>(value) && (value & quiet) == 0;
}

/// For arguments that is_special() finds.
template <class Format, class Fused>
SpecialPower<typename Format::Number> special_power(typename Format::Number x, typename Format::Number y) {
    using Number = typename Format::Number;
    using Bits = typename Format::Bits;
    const Bits x_bits = bits<Fused>(x), y_bits = bits<Fused>(y), magnitude = x_bits & ~Format::sign;
    const auto known = [](Number value) { return SpecialPower<Number>{true, value, false}; };
    const Number infinity = number<Fused>(Format::infinity);

    if (y == 0)
        return known(is_signaling<Format, Fused>(x_bits) ? x + y : 1);
    if (x == 1)
        return known(is_signaling<Format, Fused>(y_bits) ? x + y : 1);
    if (is_nan<Format, Fused>(x_bits) || is_nan<Format, Fused>(y_bits))
        return known(x + y);
    if (y == infinity || y == -infinity) {
        if (magnitude == Format::one)
            return known(1);
        return known((magnitude < Format::one) == (y > 0) ? 0 : infinity);
    }
    const Parity parity = parity_of<Format, Fused>(y_bits);
    const bool below_zero = (x_bits & Format::sign) != 0;
    if (x == 0 || magnitude == Format::infinity) {
        const Number power = (x == 0) == (y > 0) ? 0 : infinity;
        return known(below_zero && parity == Parity::odd ? -power : power);
    }
    if (below_zero && parity == Parity::fraction)
        return known(number<Fused>(Format::infinity | 1)); // NaN
    return {false, 0, below_zero && parity == Parity::odd};
}

} // namespace isovmaf::math
