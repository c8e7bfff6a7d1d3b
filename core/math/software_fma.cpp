// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "math/software_fma.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace isovmaf::math {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr int fraction_bits = 52, bias = 1023;
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63, leading = std::uint64_t{1} << fraction_bits;
constexpr std::uint64_t infinity = std::uint64_t{0x7ff} << fraction_bits;
constexpr int least_exponent = 1 - bias - fraction_bits; ///< of the last bit of subnormal numbers

/// significand · 2^exponent
struct Magnitude {
    Wide significand;
    int exponent;
};

/// Of a number that is finite and not zero. Bit 52 of the significand is set.
Magnitude magnitude_of(std::uint64_t bits) {
    std::uint64_t significand = bits & (leading - 1);
    const int field = static_cast<int>((bits & ~sign_bit) >> fraction_bits);
    if (field != 0)
        return {significand | leading, field - 1 + least_exponent};
    const int shift = std::countl_zero(significand) - (63 - fraction_bits);
    return {significand << shift, least_exponent - shift};
}

/// The same number with a larger exponent. The lowest bit is also set if a set bit was shifted out.
void shift_right_sticky(Magnitude &m, int n) {
    const Wide shifted = n > 127 ? 0 : m.significand >> n;
    const bool lost = n > 127 || shifted << n != m.significand;
    m = {shifted | static_cast<Wide>(lost), m.exponent + n};
}

int top_bit(Wide v) {
    const auto high = static_cast<std::uint64_t>(v >> 64);
    return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<std::uint64_t>(v));
}

/// The bits of the nearest number, or of the even one of two. The significand is not zero and below 2^127.
std::uint64_t nearest(const Magnitude &m) {
    const int top = top_bit(m.significand);
    const int last = std::max(m.exponent + top - fraction_bits, least_exponent); // exponent of the last bit
    if (last - least_exponent >= 2046)
        return infinity;
    const std::uint64_t field = static_cast<std::uint64_t>(last - least_exponent) << fraction_bits;
    const int dropped = last - m.exponent;
    if (dropped <= 0)
        return field + static_cast<std::uint64_t>(m.significand << -dropped);
    if (dropped > top + 1)
        return 0; // less than half of the smallest number
    const Wide kept = m.significand >> dropped, rest = m.significand - (kept << dropped);
    const Wide half = Wide{1} << (dropped - 1);
    const bool up = rest > half || (rest == half && (kept & 1) != 0);
    return field + static_cast<std::uint64_t>(kept) + static_cast<std::uint64_t>(up); // a carry increments the exponent
}

} // namespace

double software_fma(double a, double b, double c) {
    if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0)
        return a * b + c;
    if (!std::isfinite(c))
        return c;
    if (c == 0)
        return a * b;
    const auto a_bits = std::bit_cast<std::uint64_t>(a), b_bits = std::bit_cast<std::uint64_t>(b);
    std::uint64_t sign = (a_bits ^ b_bits) & sign_bit, other_sign = std::bit_cast<std::uint64_t>(c) & sign_bit;
    const Magnitude factor_a = magnitude_of(a_bits), factor_b = magnitude_of(b_bits);

    // Both are moved up so that bit 124 or 125 is their highest. When the smaller one loses bits on the right, the
    // other's highest bit is so far above that their difference keeps more than 53 bits above the sticky one.
    constexpr int product_room = 20, sum_room = 73;
    Magnitude larger{factor_a.significand * factor_b.significand << product_room,
                     factor_a.exponent + factor_b.exponent - product_room};
    Magnitude smaller = magnitude_of(std::bit_cast<std::uint64_t>(c));
    smaller = {smaller.significand << sum_room, smaller.exponent - sum_room};
    if (smaller.exponent > larger.exponent) {
        std::swap(larger, smaller);
        std::swap(sign, other_sign);
    }
    shift_right_sticky(smaller, larger.exponent - smaller.exponent);

    if (sign == other_sign) {
        larger.significand += smaller.significand;
    } else if (larger.significand >= smaller.significand) {
        larger.significand -= smaller.significand;
    } else {
        larger.significand = smaller.significand - larger.significand;
        sign = other_sign;
    }
    if (larger.significand == 0)
        return 0;
    return std::bit_cast<double>(sign | nearest(larger));
}

} // namespace isovmaf::math
