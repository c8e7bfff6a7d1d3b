// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <bit>

#include "hip/testing/amd/bit_fields.hpp"
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/integers.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

void add_moves(OperationTable &table) {
    table.add("v_mov_b16", operation<U16(U16)>([](auto a) { return a; }));
    table.add("v_mov_b32", operation<U32(U32)>([](auto a) { return a; }));
    table.add("v_mov_b64", operation<U64(U64)>([](auto a) { return a; }));
    // The sources are the halves that op_sel chooses.
    table.add("v_pk_mov_b32", operation<U64(U32, U32)>([](auto a, auto b) { return as<U64>(a) | as<U64>(b) << 32; }));
    table.add("v_cndmask_b16", operation<U16(U16, U16, Condition)>(
                                   [](auto a, auto b, auto condition) { return choose(condition, b, a); }));
    table.add("v_cndmask_b32", operation<U32(U32, U32, Condition)>(
                                   [](auto a, auto b, auto condition) { return choose(condition, b, a); }));
}

/// The bits of `a` choose bits of `one` and `zero`. What both have is defined even where `a` is not.
template <class T>
T chosen(T a, T one, T zero) {
    return (a & one) | (~a & zero) | (one & zero);
}

/// Bit 4 x + 2 y + z of the table is the result of the bits x, y and z.
template <class T>
T looked_up(T x, T y, T z, T table) {
    const auto entry = [&](U32 i) { return T(0) - (table >> T(i) & T(1)); };
    const auto two = [&](U32 i) { return chosen(z, entry(i + 1), entry(i)); };
    return chosen(x, chosen(y, two(6), two(4)), chosen(y, two(2), two(0)));
}

void add_logic(OperationTable &table) {
    table.add("v_not_b32", operation<U32(U32)>([](auto a) { return ~a; }));
    table.add("v_and_b32", operation<U32(U32, U32)>([](auto a, auto b) { return a & b; }));
    table.add("v_or_b32", operation<U32(U32, U32)>([](auto a, auto b) { return a | b; }));
    table.add("v_xor_b32", operation<U32(U32, U32)>([](auto a, auto b) { return a ^ b; }));
    table.add("v_xnor_b32", operation<U32(U32, U32)>([](auto a, auto b) { return ~(a ^ b); }));
    table.add("v_and_or_b32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return (a & b) | c; }));
    table.add("v_or3_b32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return a | b | c; }));
    table.add("v_xor3_b32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return a ^ b ^ c; }));
    table.add("v_bitop3_b32",
              operation<U32(U32, U32, U32, U32)>([](auto a, auto b, auto c, auto d) { return looked_up(a, b, c, d); }));
    table.add("v_not_b16", operation<U16(U16)>([](auto a) { return ~a; }));
    table.add("v_and_b16", operation<U16(U16, U16)>([](auto a, auto b) { return a & b; }));
    table.add("v_or_b16", operation<U16(U16, U16)>([](auto a, auto b) { return a | b; }));
    table.add("v_xor_b16", operation<U16(U16, U16)>([](auto a, auto b) { return a ^ b; }));
}

/// The count is the first source.
void add_shifts(OperationTable &table) {
    table.add("v_lshlrev_b16", operation<U16(U16, U16)>([](auto a, auto b) { return b << a; }));
    table.add("v_lshrrev_b16", operation<U16(U16, U16)>([](auto a, auto b) { return b >> a; }));
    table.add("v_ashrrev_i16", operation<I16(I16, I16)>([](auto a, auto b) { return b >> a; }));
    table.add("v_lshlrev_b32", operation<U32(U32, U32)>([](auto a, auto b) { return b << a; }));
    table.add("v_lshrrev_b32", operation<U32(U32, U32)>([](auto a, auto b) { return b >> a; }));
    table.add("v_ashrrev_i32", operation<I32(I32, I32)>([](auto a, auto b) { return b >> a; }));
    table.add("v_lshlrev_b64", operation<U64(U32, U64)>([](auto a, auto b) { return b << as<U64>(a); }));
    table.add("v_lshrrev_b64", operation<U64(U32, U64)>([](auto a, auto b) { return b >> as<U64>(a); }));
    table.add("v_ashrrev_i64", operation<I64(U32, I64)>([](auto a, auto b) { return b >> as<I64>(a); }));
    table.add("v_lshl_or_b32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return (a << b) | c; }));
}

void add_fields(OperationTable &table) {
    table.add("v_bfe_u32",
              operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return unsigned_field(a, b & 31, c & 31); }));
    table.add("v_bfe_i32", operation<I32(I32, U32, U32)>([](auto a, auto b, auto c) {
                  return signed_field(a, as<I32>(b & 31), as<I32>(c & 31));
              }));
    table.add("v_bfi_b32", operation<U32(U32, U32, U32)>([](auto a, auto b, auto c) { return (a & b) | (~a & c); }));
    table.add("v_bfm_b32", operation<U32(U32, U32)>([](auto a, auto b) { return field_mask(a, b); }));
}

void add_counts(OperationTable &table) {
    table.add("v_bfrev_b32", operation<U32(U32)>([](auto a) { return reversed(a); }));
    table.add("v_bcnt_u32_b32", operation<U32(U32, U32)>([](auto a, auto b) { return as<U32>(ones(a)) + b; }));
    table.add("v_ffbh_u32 v_clz_i32_u32", operation<I32(U32)>([](auto a) { return leading_zeros(a); }));
    table.add("v_ffbl_b32 v_ctz_i32_b32", operation<I32(U32)>([](auto a) { return trailing_zeros(a); }));
    table.add("v_ffbh_i32 v_cls_i32", operation<I32(I32)>([](auto a) { return leading_signs(a); }));
}

} // namespace

void add_bit_operations(OperationTable &table) {
    add_moves(table);
    add_logic(table);
    add_shifts(table);
    add_fields(table);
    add_counts(table);
}

} // namespace isovmaf::amd
