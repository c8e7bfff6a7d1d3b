// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/exact_arithmetic.hpp"

#include <algorithm>
#include <cassert>

namespace isovmaf::amd {
namespace {

int bit_width(U128 a) {
    const U64 high = static_cast<U64>(a >> 64);
    return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                     : static_cast<int>(std::bit_width(static_cast<U64>(a)));
}

/// Shifts right. Bit 0 of the result is set if a bit that fell out was.
U128 shifted_right(U128 a, int count) {
    if (count > 127)
        return a != 0;
    const U128 fallen = a & ((U128{1} << count) - 1);
    return a >> count | (fallen != 0);
}

/// Whether a number that lies between two multiples of a unit becomes the one that is farther from 0.
bool rounds_away(Rounding mode, bool negative, bool odd, U128 rest, U128 half) {
    switch (mode) {
    case Rounding::nearest_even:
        return rest > half || (rest == half && odd);
    case Rounding::up:
        return rest != 0 && !negative;
    case Rounding::down:
        return rest != 0 && negative;
    default:
        return false;
    }
}

/// The largest finite number or infinity.
template <class F>
F overflowed(bool negative, Rounding mode) {
    const bool infinite = mode == Rounding::nearest_even || mode == (negative ? Rounding::down : Rounding::up);
    return with_sign<F>(static_cast<Bits<F>>(infinity<F> - (infinite ? 0 : 1)), negative);
}

} // namespace

ExactNumber exact_number(double a) {
    assert(std::isfinite(a));
    int exponent = 0;
    const double fraction = std::frexp(std::abs(a), &exponent);
    return {std::signbit(a), static_cast<U64>(std::ldexp(fraction, 53)), exponent - 53};
}

ExactNumber exact_product(ExactNumber a, ExactNumber b) {
    return {a.negative != b.negative, a.units * b.units, a.exponent + b.exponent};
}

ExactNumber exact_sum(ExactNumber a, ExactNumber b, ExactNumber c, Rounding mode) {
    // Factors and addend are 0 or have 53 bits, so products have 105 or 106.
    ExactNumber product = exact_product(a, b);
    if (product.units == 0 || c.units == 0) {
        if (product.units == c.units)
            return {product.negative == c.negative ? c.negative : mode == Rounding::down, 0, 0};
        return product.units == 0 ? c : product;
    }
    // A frame in which both fit. What falls out of it is too small to cancel a leading bit of the other.
    const int exponent = c.exponent > product.exponent ? std::max(c.exponent - 74, product.exponent)
                                                       : std::max(product.exponent - 20, c.exponent);
    const auto placed = [&](const ExactNumber &number) {
        const int left = number.exponent - exponent;
        return left >= 0 ? number.units << left : shifted_right(number.units, -left);
    };
    const U128 first = placed(product), second = placed(c);
    if (product.negative == c.negative)
        return {c.negative, first + second, exponent};
    if (first == second)
        return {mode == Rounding::down, 0, 0};
    return first > second ? ExactNumber{product.negative, first - second, exponent}
                          : ExactNumber{c.negative, second - first, exponent};
}

template <class F>
F rounded(ExactNumber number, Rounding mode) {
    if (number.units == 0)
        return with_sign<F>(0, number.negative);
    constexpr int least_exponent = 1 - bias<F> - Format<F>::fraction_bits; // of the unit of subnormal numbers
    const int precision = Format<F>::fraction_bits + 1;
    const int exponent = std::max(number.exponent + bit_width(number.units) - precision, least_exponent);
    const int dropped = exponent - number.exponent;
    U64 units = 0;
    if (dropped <= 0) {
        units = static_cast<U64>(number.units << -dropped);
    } else if (dropped < 128) {
        const U128 rest = number.units & ((U128{1} << dropped) - 1);
        units = static_cast<U64>(number.units >> dropped);
        units += rounds_away(mode, number.negative, units & 1, rest, U128{1} << (dropped - 1));
    } else {
        units += rounds_away(mode, number.negative, false, 1, 2);
    }
    // A carry out of the fraction increments the exponent, as it should.
    const int field = exponent - least_exponent;
    if (field >= 1 << Format<F>::exponent_bits)
        return overflowed<F>(number.negative, mode);
    const U64 bits = (U64(field) << Format<F>::fraction_bits) + units;
    return bits >= infinity<F> ? overflowed<F>(number.negative, mode)
                               : with_sign<F>(static_cast<Bits<F>>(bits), number.negative);
}

template F16 rounded<F16>(ExactNumber, Rounding);
template F32 rounded<F32>(ExactNumber, Rounding);
template F64 rounded<F64>(ExactNumber, Rounding);

} // namespace isovmaf::amd
