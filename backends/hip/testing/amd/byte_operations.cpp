// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/integers.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

/// A byte of the result of v_perm_b32: one of eight bytes, copies of the sign of one of four 16-bit numbers, 0 or 255.
template <class Wide, class N>
constexpr N permuted(Wide data, N selector) {
    const N chosen = as<U32>(data >> as<U64>(selector << 3)) & 0xff;
    const N sign = as<U32>(data >> as<U64>((selector << 4) - 113)) & 1;
    const N constant = choose(selector == 12, N(0), N(0xff));
    return choose(selector < 8, chosen, choose(selector < 12, (N(0) - sign) & 0xff, constant));
}

template <class N>
constexpr N permuted_bytes(N high, N low, N selectors) {
    const auto data = as<U64>(high) << 32 | as<U64>(low);
    N result = 0;
    for (unsigned i = 0; i < 4; ++i)
        result = result | permuted(data, byte(selectors, i)) << (8 * i);
    return result;
}

/// The distances of four bytes. Those at zeros of `b` are left out by the masked instructions.
template <bool masked, class N>
constexpr N distances(N a, N b, N sum) {
    for (unsigned i = 0; i < 4; ++i) {
        const N difference = distance(byte(a, i), byte(b, i));
        sum = sum + (masked ? choose(byte(b, i) == 0, N(0), difference) : difference);
    }
    return sum;
}

/// The sums of `b` with four windows of `a`, each one byte further.
template <bool masked, class Wide, class N>
constexpr Wide window_distances(Wide a, N b, Wide sums) {
    Wide result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const N sum = as<U32>(sums >> (16 * i)) & 0xffff;
        const N window = as<U32>(a >> (8 * i));
        result = result | as<U64>(distances<masked>(window, b, sum) & 0xffff) << (16 * i);
    }
    return result;
}

/// The mean of two numbers, which bit 0 of `up` rounds up.
template <class N>
constexpr N mean(N a, N b, N up) {
    return (a + b + (up & 1)) >> 1;
}

void add_distances(OperationTable &table) {
    table.add("v_sad_u8",
              operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return distances<false>(a, b, c); }));
    table.add("v_msad_u8",
              operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return distances<true>(a, b, c); }));
    table.add("v_sad_hi_u8", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) {
                  return (distances<false>(a, b, decltype(a)(0)) << 16) + c;
              }));
    table.add("v_sad_u16", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) {
                  return c + distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16);
              }));
    table.add("v_sad_u32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return distance(a, b) + c; }));
    table.add("v_qsad_pk_u16_u8",
              operation<U64(U64, U32, U64)>([](auto a, auto b, auto c) { return window_distances<false>(a, b, c); }));
    table.add("v_mqsad_pk_u16_u8",
              operation<U64(U64, U32, U64)>([](auto a, auto b, auto c) { return window_distances<true>(a, b, c); }));
}

} // namespace

void add_byte_operations(OperationTable &table) {
    add_distances(table);
    table.add("v_perm_b32",
              operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return permuted_bytes(a, b, c); }));
    table.add("v_alignbit_b32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) {
                  return as<U32>((as<U64>(a) << 32 | as<U64>(b)) >> as<U64>(c & 31));
              }));
    table.add("v_alignbyte_b32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) {
                  return as<U32>((as<U64>(a) << 32 | as<U64>(b)) >> as<U64>((c & 3) << 3));
              }));
    table.add("v_lerp_u8", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) {
                  return mean(byte(a, 0), byte(b, 0), c) | mean(byte(a, 1), byte(b, 1), c >> 8) << 8 |
                         mean(byte(a, 2), byte(b, 2), c >> 16) << 16 | mean(byte(a, 3), byte(b, 3), c >> 24) << 24;
              }));
}

} // namespace isovmaf::amd
