// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "hip/testing/amd/numbers.hpp"

/// What bodies of operations on integers share. An argument is a `Plain` or a `Tracked`.
namespace isovmaf::amd {

template <class N>
constexpr N smaller(N a, N b) {
    return choose(b < a, b, a);
}
template <class N>
constexpr N larger(N a, N b) {
    return choose(a < b, b, a);
}
template <class N>
constexpr N distance(N a, N b) {
    return choose(a < b, b - a, a - b);
}

/// A bit of an unsigned number as a flag.
template <class N>
constexpr auto bit(N a, unsigned index) {
    return ~((a >> static_cast<decltype(a.bits)>(index) & 1) == 0);
}

template <class N>
constexpr auto is_nonzero(N a) {
    return ~(a == 0);
}

/// Eight bits as the low bits of a number.
template <class N>
constexpr N byte(N a, unsigned index) {
    return a >> static_cast<decltype(a.bits)>(8 * index) & 0xff;
}

/// The low `width` bits of a number of 32 bits with copies of the highest of them above.
template <unsigned low, class N>
constexpr auto extended(N a) {
    return as<I32>(a << (32 - low)) >> (32 - low);
}

/// Bits 32 and up of a product of two numbers of up to 32 bits.
template <class Wide, class N>
constexpr auto product(N a, N b) {
    return as<Wide>(a) * as<Wide>(b);
}

} // namespace isovmaf::amd
