// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/compares.hpp"
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

template <class T>
void add_vector_compares(OperationTable &table, const std::string &type) {
    add_compare(table, "lt_" + type, operation<bool(T, T)>([](auto a, auto b) { return a < b; }));
    add_compare(table, "eq_" + type, operation<bool(T, T)>([](auto a, auto b) { return a == b; }));
    add_compare(table, "le_" + type, operation<bool(T, T)>([](auto a, auto b) { return ~(b < a); }));
    add_compare(table, "gt_" + type, operation<bool(T, T)>([](auto a, auto b) { return b < a; }));
    add_compare(table, "ne_" + type, operation<bool(T, T)>([](auto a, auto b) { return ~(a == b); }));
    add_compare(table, "ge_" + type, operation<bool(T, T)>([](auto a, auto b) { return ~(a < b); }));
}

/// `table.add` for both the register form and the form with a constant, which is a source of 16 bits.
template <class T, class Constant, class Body>
void add_scalar_compare(OperationTable &table, const std::string &relation, const std::string &type, Body body) {
    table.add("s_cmp_" + relation + "_" + type, scalar<bool(T, T)>(body));
    table.add("s_cmpk_" + relation + "_" + type,
              scalar<bool(T, Constant)>([](auto a, auto b) { return Body{}(a, as<T>(b)); }));
}

template <class T, class Constant>
void add_scalar_compares(OperationTable &table, const std::string &type) {
    add_scalar_compare<T, Constant>(table, "eq", type, [](auto a, auto b) { return a == b; });
    add_scalar_compare<T, Constant>(table, "lg", type, [](auto a, auto b) { return ~(a == b); });
    add_scalar_compare<T, Constant>(table, "gt", type, [](auto a, auto b) { return b < a; });
    add_scalar_compare<T, Constant>(table, "ge", type, [](auto a, auto b) { return ~(a < b); });
    add_scalar_compare<T, Constant>(table, "lt", type, [](auto a, auto b) { return a < b; });
    add_scalar_compare<T, Constant>(table, "le", type, [](auto a, auto b) { return ~(b < a); });
}

} // namespace

void add_integer_compares(OperationTable &table) {
    add_vector_compares<U16>(table, "u16");
    add_vector_compares<I16>(table, "i16");
    add_vector_compares<U32>(table, "u32");
    add_vector_compares<I32>(table, "i32");
    add_vector_compares<U64>(table, "u64");
    add_vector_compares<I64>(table, "i64");

    add_scalar_compares<U32, U16>(table, "u32");
    add_scalar_compares<I32, I16>(table, "i32");
    table.add("s_cmp_eq_u64", scalar<bool(U64, U64)>([](auto a, auto b) { return a == b; }));
    table.add("s_cmp_lg_u64", scalar<bool(U64, U64)>([](auto a, auto b) { return ~(a == b); }));
    table.add("s_bitcmp0_b32", scalar<bool(U32, U32)>([](auto a, auto b) { return (a >> b & 1) == 0; }));
    table.add("s_bitcmp1_b32", scalar<bool(U32, U32)>([](auto a, auto b) { return (a >> b & 1) == 1; }));
    table.add("s_bitcmp0_b64", scalar<bool(U64, U32)>([](auto a, auto b) { return (a >> as<U64>(b) & 1) == 0; }));
    table.add("s_bitcmp1_b64", scalar<bool(U64, U32)>([](auto a, auto b) { return (a >> as<U64>(b) & 1) == 1; }));
}

} // namespace isovmaf::amd
