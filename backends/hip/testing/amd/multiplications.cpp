// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/integers.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

template <class N>
constexpr auto low24(N a) {
    return a & 0xffffff;
}
template <class N>
constexpr auto signed24(N a) {
    return extended<24>(a);
}

void add_full_products(OperationTable &table) {
    table.add("v_mul_lo_u32 v_mul_lo_i32", operation<U32(U32, U32)>([](auto a, auto b) { return a * b; }));
    table.add("v_mul_hi_u32",
              operation<U32(U32, U32)>([](auto a, auto b) { return as<U32>(product<U64>(a, b) >> 32); }));
    table.add("v_mul_hi_i32",
              operation<I32(I32, I32)>([](auto a, auto b) { return as<I32>(product<I64>(a, b) >> 32); }));
    table.add("v_mad_u64_u32 v_mad_co_u64_u32", operation<Flagged<U64>(U32, U32, U64)>([](auto a, auto b, auto c) {
                  const auto sum = product<U64>(a, b) + c;
                  return Both{sum, sum < c};
              }));
    // The flag is bit 64 of the sum of 65 bits.
    table.add("v_mad_i64_i32 v_mad_co_i64_i32", operation<Flagged<I64>(I32, I32, I64)>([](auto a, auto b, auto c) {
                  const auto factors = product<I64>(a, b);
                  const auto sum = factors + c;
                  const auto carry = as<U64>(sum) < as<U64>(c);
                  return Both{sum, (factors < 0) ^ (c < 0) ^ carry};
              }));
}

void add_products_of_24_bits(OperationTable &table) {
    table.add("v_mul_u32_u24", operation<U32(U32, U32)>([](auto a, auto b) { return low24(a) * low24(b); }));
    table.add("v_mul_i32_i24", operation<I32(U32, U32)>([](auto a, auto b) { return signed24(a) * signed24(b); }));
    table.add("v_mul_hi_u32_u24",
              operation<U32(U32, U32)>([](auto a, auto b) { return as<U32>(product<U64>(low24(a), low24(b)) >> 32); }));
    table.add("v_mul_hi_i32_i24", operation<I32(U32, U32)>([](auto a, auto b) {
                  return as<I32>(product<I64>(signed24(a), signed24(b)) >> 32);
              }));
    table.add("v_mad_u32_u24",
              operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return low24(a) * low24(b) + c; }));
    table.add("v_mad_i32_i24",
              operation<I32(U32, U32, I32)>([](auto a, auto b, auto c) { return signed24(a) * signed24(b) + c; }));
}

void add_products_of_16_bits(OperationTable &table) {
    table.add("v_mul_lo_u16", operation<U16(U16, U16)>([](auto a, auto b) { return a * b; }));
    table.add("v_mad_u16 v_mad_i16",
              keeping(operation<U16(U16, U16, U16)>([](auto a, auto b, auto c) { return a * b + c; })));
    table.add("v_mad_legacy_u16", operation<U16(U16, U16, U16)>([](auto a, auto b, auto c) { return a * b + c; }));
    table.add("v_mad_u32_u16",
              operation<U32(U16, U16, U32)>([](auto a, auto b, auto c) { return product<U32>(a, b) + c; }));
    table.add("v_mad_i32_i16",
              operation<I32(I16, I16, I32)>([](auto a, auto b, auto c) { return product<I32>(a, b) + c; }));
}

/// The number at a place among numbers of `size` bits.
template <class T, unsigned size, class N>
constexpr auto part(N a, unsigned index) {
    if constexpr (std::is_signed_v<T>)
        return extended<size>(a >> (size * index));
    else
        return a >> (size * index) & ((1u << size) - 1);
}

template <class T, unsigned size, class N, class Sum>
constexpr Sum dot(N a, N b, Sum sum) {
    for (unsigned i = 0; i < 32 / size; ++i)
        sum = sum + part<T, size>(a, i) * part<T, size>(b, i);
    return sum;
}

template <class T, unsigned size>
void add_dot(OperationTable &table, std::string_view name) {
    table.add(name, operation<T(Packed, Packed, T)>([](auto a, auto b, auto c) { return dot<T, size>(a, b, c); }));
}

/// Adds to the destination.
template <unsigned size>
void add_accumulating_dot(OperationTable &table, std::string_view name) {
    table.add(name, operation<I32(Packed, Packed, Destination<I32>)>(
                        [](auto a, auto b, auto c) { return dot<I32, size>(a, b, c); }));
}

} // namespace

void add_multiplications(OperationTable &table) {
    add_full_products(table);
    add_products_of_24_bits(table);
    add_products_of_16_bits(table);
    add_dot<U32, 16>(table, "v_dot2_u32_u16");
    add_dot<I32, 16>(table, "v_dot2_i32_i16");
    add_dot<U32, 8>(table, "v_dot4_u32_u8");
    add_dot<I32, 8>(table, "v_dot4_i32_i8");
    add_dot<U32, 4>(table, "v_dot8_u32_u4");
    add_dot<I32, 4>(table, "v_dot8_i32_i4");
    add_accumulating_dot<16>(table, "v_dot2c_i32_i16");
    add_accumulating_dot<8>(table, "v_dot4c_i32_i8");
    add_accumulating_dot<4>(table, "v_dot8c_i32_i4");
}

} // namespace isovmaf::amd
