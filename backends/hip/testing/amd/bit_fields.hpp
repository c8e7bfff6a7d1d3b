// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <bit>

#include "hip/testing/amd/numbers.hpp"

/// Fields and counts of bits, for vector and scalar instructions. An argument is a `Plain` or a `Tracked`.
namespace isovmaf::amd {

/// `count` ones from bit `offset` upwards.
template <class N>
constexpr N field_mask(N count, N offset) {
    return ((N(1) << count) - 1) << offset;
}

/// The `count` bits from bit `offset` upwards. All of them, if `count` is the width of the number or more.
template <class N>
constexpr N unsigned_field(N a, N offset, N count) {
    using T = decltype(a.bits);
    const N mask = choose(count < static_cast<T>(width<T>), (N(1) << count) - 1, N(static_cast<T>(~T{0})));
    return a >> offset & mask;
}

/// The same with copies of the highest of these bits above. 0 for an empty field.
template <class N>
constexpr N signed_field(N a, N offset, N count) {
    using T = decltype(a.bits);
    const N whole = static_cast<T>(width<T>);
    const N unused = choose(count < whole, whole - count, N(0));
    const N field = choose(unused == 0, a >> offset, (a >> offset << unused) >> unused);
    return choose(count == 0, N(0), field);
}

template <class N>
constexpr N reversed(N a) {
    using T = decltype(a.bits);
    for (unsigned half = width<T> / 2; half > 0; half /= 2) {
        const T low = static_cast<T>(static_cast<T>(~T{0}) / ((T{1} << half) + 1));
        a = (a >> static_cast<T>(half) & low) | (a & low) << static_cast<T>(half);
    }
    return a;
}

template <class N>
constexpr auto ones(N a) {
    return apply([](auto bits) { return static_cast<I32>(std::popcount(bits)); }, a);
}

/// -1 if there is no one.
template <class N>
constexpr auto leading_zeros(N a) {
    return apply([](auto bits) { return bits == 0 ? I32{-1} : static_cast<I32>(std::countl_zero(bits)); }, a);
}

template <class N>
constexpr auto trailing_zeros(N a) {
    return apply([](auto bits) { return bits == 0 ? I32{-1} : static_cast<I32>(std::countr_zero(bits)); }, a);
}

/// The number of highest bits that are alike. -1 if all are.
template <class N>
constexpr auto leading_signs(N a) {
    using T = decltype(a.bits);
    return leading_zeros(as<bits_of<T>>(a ^ (a >> static_cast<T>(width<T> - 1))));
}

} // namespace isovmaf::amd
