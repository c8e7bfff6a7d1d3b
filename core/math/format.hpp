// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

/// IEEE 754's formats, and numbers as bits.
///
/// The functions of core/math are templates of the way to fuse, a type with internal linkage, and so are the small ones
/// here: what is compiled for processors with FMA must not be what the linker takes for all processors. (std::bit_cast
/// would be such a function.)
namespace isovmaf::math {

struct Binary64 {
    using Number = double;
    using Bits = std::uint64_t;
    using Signed = std::int64_t;
    static constexpr int fraction_bits = 52, bias = 1023;
    static constexpr Bits sign = Bits{1} << 63, exponent = Bits{0x7ff} << fraction_bits;
    static constexpr Bits one = Bits{bias} << fraction_bits, infinity = exponent;
};

struct Binary32 {
    using Number = float;
    using Bits = std::uint32_t;
    using Signed = std::int32_t;
    static constexpr int fraction_bits = 23, bias = 127;
    static constexpr Bits sign = Bits{1} << 31, exponent = Bits{0xff} << fraction_bits;
    static constexpr Bits one = Bits{bias} << fraction_bits, infinity = exponent;
};

inline constexpr double not_a_number = __builtin_nan(""), infinite = __builtin_inf();

template <class Fused>
std::uint64_t bits(double value) {
    return __builtin_bit_cast(std::uint64_t, value);
}
template <class Fused>
std::uint32_t bits(float value) {
    return __builtin_bit_cast(std::uint32_t, value);
}
template <class Fused>
double number(std::uint64_t bits) {
    return __builtin_bit_cast(double, bits);
}
template <class Fused>
float number(std::uint32_t bits) {
    return __builtin_bit_cast(float, bits);
}

/// The same value, as if the format had no smallest exponent: a subnormal's significand is moved up, and its exponent
/// field wraps around. For magnitudes that are finite and not zero.
template <class Format, class Fused>
typename Format::Bits widened(typename Format::Bits magnitude) {
    using Number = typename Format::Number;
    if ((magnitude & Format::exponent) != 0)
        return magnitude;
    constexpr auto shift = typename Format::Bits{Format::fraction_bits};
    constexpr auto scale = static_cast<Number>(std::uint64_t{1} << Format::fraction_bits);
    return bits<Fused>(number<Fused>(magnitude) * scale) - (shift << Format::fraction_bits);
}

/// value = 2^exponent · mantissa, where the mantissa lies in an interval of an octave that starts at a given number.
template <class Format>
struct Split {
    std::int32_t exponent;
    unsigned interval; ///< of the 2^interval_bits ones that the octave is cut into
    typename Format::Number mantissa;
};

template <class Format, int interval_bits, class Fused>
Split<Format> split(typename Format::Bits value, typename Format::Bits start) {
    using Bits = typename Format::Bits;
    const Bits above = value - start;
    const Bits exponent_bits = above & (Format::sign | Format::exponent);
    constexpr Bits mask = (Bits{1} << interval_bits) - 1;
    return {static_cast<std::int32_t>(static_cast<typename Format::Signed>(above) >> Format::fraction_bits),
            static_cast<unsigned>((above >> (Format::fraction_bits - interval_bits)) & mask),
            number<Fused>(value - exponent_bits)};
}

} // namespace isovmaf::math
