// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/integers.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

/// The operations that exist for signed and unsigned numbers of 16 and 32 bits.
template <class T>
void add_orders(OperationTable &table, const std::string &type) {
    const auto kept = [](Operation operation) { return sizeof(T) == 2 ? keeping(operation) : operation; };
    table.add("v_min_" + type, operation<T(T, T)>([](auto a, auto b) { return smaller(a, b); }));
    table.add("v_max_" + type, operation<T(T, T)>([](auto a, auto b) { return larger(a, b); }));
    table.add("v_min3_" + type,
              kept(operation<T(T, T, T)>([](auto a, auto b, auto c) { return smaller(smaller(a, b), c); })));
    table.add("v_max3_" + type,
              kept(operation<T(T, T, T)>([](auto a, auto b, auto c) { return larger(larger(a, b), c); })));
    table.add("v_med3_" + type, kept(operation<T(T, T, T)>([](auto a, auto b, auto c) {
                  return larger(smaller(a, b), smaller(larger(a, b), c));
              })));
}

void add_sums(OperationTable &table) {
    table.add("v_add_u32 v_add_nc_u32 v_add_i32 v_add_nc_i32",
              operation<U32(U32, U32)>([](auto a, auto b) { return a + b; }));
    table.add("v_sub_u32 v_sub_nc_u32 v_sub_i32 v_sub_nc_i32",
              operation<U32(U32, U32)>([](auto a, auto b) { return a - b; }));
    table.add("v_sub_u32_clamp v_sub_nc_u32_clamp",
              operation<U32(U32, U32)>([](auto a, auto b) { return larger(a, b) - b; }));
    table.add("v_subrev_u32 v_subrev_nc_u32", operation<U32(U32, U32)>([](auto a, auto b) { return b - a; }));

    table.add("v_add_u16", operation<U16(U16, U16)>([](auto a, auto b) { return a + b; }));
    table.add("v_sub_u16", operation<U16(U16, U16)>([](auto a, auto b) { return a - b; }));
    table.add("v_subrev_u16", operation<U16(U16, U16)>([](auto a, auto b) { return b - a; }));
    table.add("v_add_nc_u16 v_add_nc_i16 v_add_i16",
              keeping(operation<U16(U16, U16)>([](auto a, auto b) { return a + b; })));
    table.add("v_sub_nc_u16 v_sub_nc_i16 v_sub_i16",
              keeping(operation<U16(U16, U16)>([](auto a, auto b) { return a - b; })));

    table.add("v_add3_u32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return a + b + c; }));
    table.add("v_lshl_add_u32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return (a << b) + c; }));
    table.add("v_add_lshl_u32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return (a + b) << c; }));
    table.add("v_xad_u32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return (a ^ b) + c; }));
    table.add("v_lshl_add_u64",
              operation<U64(U64, U32, U64)>([](auto a, auto b, auto c) { return (a << as<U64>(b & 7)) + c; }));
}

void add_carries(OperationTable &table) {
    table.add("v_add_co_u32", operation<Flagged<U32>(U32, U32)>([](auto a, auto b) {
                  const auto sum = as<U64>(a) + as<U64>(b);
                  return Both{as<U32>(sum), bit(sum, 32)};
              }));
    table.add("v_sub_co_u32", operation<Flagged<U32>(U32, U32)>([](auto a, auto b) { return Both{a - b, a < b}; }));
    table.add("v_subrev_co_u32", operation<Flagged<U32>(U32, U32)>([](auto a, auto b) { return Both{b - a, b < a}; }));

    table.add("v_addc_co_u32 v_add_co_ci_u32",
              operation<Flagged<U32>(U32, U32, Condition)>([](auto a, auto b, auto carry) {
                  const auto sum = as<U64>(a) + as<U64>(b) + as<U64>(carry);
                  return Both{as<U32>(sum), bit(sum, 32)};
              }));
    table.add("v_subb_co_u32 v_sub_co_ci_u32",
              operation<Flagged<U32>(U32, U32, Condition)>([](auto a, auto b, auto borrow) {
                  const auto difference = as<U64>(a) - as<U64>(b) - as<U64>(borrow);
                  return Both{as<U32>(difference), bit(difference, 32)};
              }));
    table.add("v_subbrev_co_u32 v_subrev_co_ci_u32",
              operation<Flagged<U32>(U32, U32, Condition)>([](auto a, auto b, auto borrow) {
                  const auto difference = as<U64>(b) - as<U64>(a) - as<U64>(borrow);
                  return Both{as<U32>(difference), bit(difference, 32)};
              }));
}

} // namespace

void add_integer_operations(OperationTable &table) {
    add_sums(table);
    add_carries(table);
    add_orders<U16>(table, "u16");
    add_orders<I16>(table, "i16");
    add_orders<U32>(table, "u32");
    add_orders<I32>(table, "i32");
    table.add("v_minmax_u32",
              operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return larger(smaller(a, b), c); }));
    table.add("v_minmax_i32",
              operation<I32(I32, I32, I32)>([](auto a, auto b, auto c) { return larger(smaller(a, b), c); }));
    table.add("v_maxmin_u32",
              operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return smaller(larger(a, b), c); }));
    table.add("v_maxmin_i32",
              operation<I32(I32, I32, I32)>([](auto a, auto b, auto c) { return smaller(larger(a, b), c); }));
}

} // namespace isovmaf::amd
