// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/integers.hpp"
#include "hip/testing/amd/operation_table.hpp"

/// Scalar arithmetic. The flag is SCC. A source of 16 bits is the constant of the instruction.
namespace isovmaf::amd {
namespace {

/// Whether a sum of signed numbers overflowed: the signs of both sources differ from that of the sum.
template <class N>
constexpr auto sum_overflows(N a, N b, N sum) {
    return ((a ^ sum) & (b ^ sum)) < 0;
}
template <class N>
constexpr auto difference_overflows(N a, N b, N difference) {
    return ((a ^ b) & (a ^ difference)) < 0;
}

void add_sums(OperationTable &table) {
    table.add("s_add_u32 s_add_co_u32", scalar<Flagged<U32>(U32, U32)>([](auto a, auto b) {
                  const auto sum = as<U64>(a) + as<U64>(b);
                  return Both{as<U32>(sum), bit(sum, 32)};
              }));
    table.add("s_sub_u32 s_sub_co_u32", scalar<Flagged<U32>(U32, U32)>([](auto a, auto b) {
                  return Both{a - b, a < b};
              }));
    table.add("s_add_i32 s_add_co_i32", scalar<Flagged<I32>(I32, I32)>([](auto a, auto b) {
                  return Both{a + b, sum_overflows(a, b, a + b)};
              }));
    table.add("s_sub_i32 s_sub_co_i32", scalar<Flagged<I32>(I32, I32)>([](auto a, auto b) {
                  return Both{a - b, difference_overflows(a, b, a - b)};
              }));
    table.add("s_addc_u32 s_add_co_ci_u32", scalar<Flagged<U32>(U32, U32, Condition)>([](auto a, auto b, auto carry) {
                  const auto sum = as<U64>(a) + as<U64>(b) + as<U64>(carry);
                  return Both{as<U32>(sum), bit(sum, 32)};
              }));
    table.add("s_subb_u32 s_sub_co_ci_u32", scalar<Flagged<U32>(U32, U32, Condition)>([](auto a, auto b, auto borrow) {
                  const auto difference = as<U64>(a) - as<U64>(b) - as<U64>(borrow);
                  return Both{as<U32>(difference), bit(difference, 32)};
              }));
    table.add("s_add_nc_u64 s_add_u64", scalar<U64(U64, U64)>([](auto a, auto b) { return a + b; }));
    table.add("s_sub_nc_u64 s_sub_u64", scalar<U64(U64, U64)>([](auto a, auto b) { return a - b; }));
    table.add("s_addk_i32 s_addk_co_i32", scalar<Flagged<I32>(I16, Destination<I32>)>([](auto a, auto b) {
                  const auto sum = b + as<I32>(a);
                  return Both{sum, sum_overflows(as<I32>(a), b, sum)};
              }));
}

template <U64 shift>
void add_shifted_sum(OperationTable &table, std::string_view name) {
    table.add(name, scalar<Flagged<U32>(U32, U32)>([](auto a, auto b) {
                  const auto sum = (as<U64>(a) << shift) + as<U64>(b);
                  return Both{as<U32>(sum), ~((sum >> 32) == 0)};
              }));
}

void add_products(OperationTable &table) {
    table.add("s_mul_i32", scalar<U32(U32, U32)>([](auto a, auto b) { return a * b; }));
    table.add("s_mul_u64", scalar<U64(U64, U64)>([](auto a, auto b) { return a * b; }));
    table.add("s_mul_hi_u32", scalar<U32(U32, U32)>([](auto a, auto b) { return as<U32>(product<U64>(a, b) >> 32); }));
    table.add("s_mul_hi_i32", scalar<I32(I32, I32)>([](auto a, auto b) { return as<I32>(product<I64>(a, b) >> 32); }));
    table.add("s_mulk_i32", scalar<I32(I16, Destination<I32>)>([](auto a, auto b) { return b * as<I32>(a); }));
}

/// The flag of a minimum or maximum tells whether it is the first source.
template <class T>
void add_orders(OperationTable &table, const std::string &type) {
    table.add("s_min_" + type, scalar<Flagged<T>(T, T)>([](auto a, auto b) {
                  return Both{choose(a < b, a, b), a < b};
              }));
    table.add("s_max_" + type, scalar<Flagged<T>(T, T)>([](auto a, auto b) {
                  return Both{choose(a < b, b, a), ~(a < b)};
              }));
}

template <class N>
constexpr N magnitude(N a) {
    return choose(a < 0, N(0) - a, a);
}

void add_moves(OperationTable &table) {
    table.add("s_mov_b32", scalar<U32(U32)>([](auto a) { return a; }));
    table.add("s_mov_b64", scalar<U64(U64)>([](auto a) { return a; }));
    table.add("s_movk_i32", scalar<I32(I16)>([](auto a) { return as<I32>(a); }));
    table.add("s_cmov_b32", scalar<U32(U32, Destination<U32>, Condition)>(
                                [](auto a, auto old, auto condition) { return choose(condition, a, old); }));
    table.add("s_cmov_b64", scalar<U64(U64, Destination<U64>, Condition)>(
                                [](auto a, auto old, auto condition) { return choose(condition, a, old); }));
    table.add("s_cmovk_i32", scalar<I32(I16, Destination<I32>, Condition)>(
                                 [](auto a, auto old, auto condition) { return choose(condition, as<I32>(a), old); }));
    table.add("s_cselect_b32",
              scalar<U32(U32, U32, Condition)>([](auto a, auto b, auto condition) { return choose(condition, a, b); }));
    table.add("s_cselect_b64",
              scalar<U64(U64, U64, Condition)>([](auto a, auto b, auto condition) { return choose(condition, a, b); }));
    table.add("s_sext_i32_i8", scalar<I32(U32)>([](auto a) { return extended<8>(a); }));
    table.add("s_sext_i32_i16", scalar<I32(U32)>([](auto a) { return extended<16>(a); }));
}

void add_packs(OperationTable &table) {
    table.add("s_pack_ll_b32_b16", scalar<U32(U32, U32)>([](auto a, auto b) { return (a & 0xffff) | b << 16; }));
    table.add("s_pack_lh_b32_b16",
              scalar<U32(U32, U32)>([](auto a, auto b) { return (a & 0xffff) | (b & 0xffff0000); }));
    table.add("s_pack_hh_b32_b16", scalar<U32(U32, U32)>([](auto a, auto b) { return a >> 16 | (b & 0xffff0000); }));
    table.add("s_pack_hl_b32_b16", scalar<U32(U32, U32)>([](auto a, auto b) { return a >> 16 | b << 16; }));
}

} // namespace

void add_scalar_operations(OperationTable &table) {
    add_sums(table);
    add_shifted_sum<1>(table, "s_lshl1_add_u32");
    add_shifted_sum<2>(table, "s_lshl2_add_u32");
    add_shifted_sum<3>(table, "s_lshl3_add_u32");
    add_shifted_sum<4>(table, "s_lshl4_add_u32");
    add_products(table);
    add_orders<U32>(table, "u32");
    add_orders<I32>(table, "i32");
    table.add("s_abs_i32", scalar<Flagged<I32>(I32)>([](auto a) { return Both{magnitude(a), is_nonzero(a)}; }));
    table.add("s_absdiff_i32", scalar<Flagged<I32>(I32, I32)>([](auto a, auto b) {
                  return Both{magnitude(a - b), is_nonzero(a - b)};
              }));
    add_moves(table);
    add_packs(table);
}

} // namespace isovmaf::amd
