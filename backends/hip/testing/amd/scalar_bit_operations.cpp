// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/bit_fields.hpp"
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/integers.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

/// The body with SCC beside it: whether the result is not 0.
template <class Body>
struct WithNonzero {
    template <class... N>
    constexpr auto operator()(N... sources) const {
        const auto result = Body{}(sources...);
        return Both{result, is_nonzero(result)};
    }
};

template <class Signature>
struct FlaggedSignature;
template <class R, class... A>
struct FlaggedSignature<R(A...)> {
    using type = Flagged<R>(A...);
};

template <class Signature, class Body>
void add(OperationTable &table, std::string_view names, Body) {
    table.add(names, scalar<typename FlaggedSignature<Signature>::type>(WithNonzero<Body>{}));
}

template <class T>
void add_logic(OperationTable &table, const std::string &size) {
    add<T(T, T)>(table, "s_and_b" + size, [](auto a, auto b) { return a & b; });
    add<T(T, T)>(table, "s_or_b" + size, [](auto a, auto b) { return a | b; });
    add<T(T, T)>(table, "s_xor_b" + size, [](auto a, auto b) { return a ^ b; });
    add<T(T, T)>(table, "s_nand_b" + size, [](auto a, auto b) { return ~(a & b); });
    add<T(T, T)>(table, "s_nor_b" + size, [](auto a, auto b) { return ~(a | b); });
    add<T(T, T)>(table, "s_xnor_b" + size, [](auto a, auto b) { return ~(a ^ b); });
    add<T(T)>(table, "s_not_b" + size, [](auto a) { return ~a; });
    add<T(T, T)>(table, "s_andn2_b" + size + " s_and_not1_b" + size, [](auto a, auto b) { return a & ~b; });
    add<T(T, T)>(table, "s_orn2_b" + size + " s_or_not1_b" + size, [](auto a, auto b) { return a | ~b; });
}

/// The count is the second source.
template <class T>
void add_shifts(OperationTable &table, const std::string &size) {
    using Signed = std::make_signed_t<T>;
    add<T(T, U32)>(table, "s_lshl_b" + size, [](auto a, auto b) { return a << as<T>(b); });
    add<T(T, U32)>(table, "s_lshr_b" + size, [](auto a, auto b) { return a >> as<T>(b); });
    add<Signed(Signed, U32)>(table, "s_ashr_i" + size, [](auto a, auto b) { return a >> as<Signed>(b); });
}

/// The second source of a field is its offset in the low bits and its width in bits 22:16.
template <class T>
void add_fields(OperationTable &table, const std::string &size) {
    using Signed = std::make_signed_t<T>;
    add<T(T, U32)>(table, "s_bfe_u" + size, [](auto a, auto b) {
        return unsigned_field(a, as<T>(b & static_cast<U32>(width<T> - 1)), as<T>(b >> 16 & 0x7f));
    });
    add<Signed(Signed, U32)>(table, "s_bfe_i" + size, [](auto a, auto b) {
        return signed_field(a, as<Signed>(b & static_cast<U32>(width<T> - 1)), as<Signed>(b >> 16 & 0x7f));
    });
    table.add("s_bfm_b" + size, scalar<T(U32, U32)>([](auto a, auto b) { return field_mask(as<T>(a), as<T>(b)); }));
}

template <class T>
void add_counts(OperationTable &table, const std::string &size) {
    using Signed = std::make_signed_t<T>;
    table.add("s_brev_b" + size, scalar<T(T)>([](auto a) { return reversed(a); }));
    add<I32(T)>(table, "s_bcnt0_i32_b" + size, [](auto a) { return ones(~a); });
    add<I32(T)>(table, "s_bcnt1_i32_b" + size, [](auto a) { return ones(a); });
    table.add("s_ff0_i32_b" + size, scalar<I32(T)>([](auto a) { return trailing_zeros(~a); }));
    table.add("s_ff1_i32_b" + size + " s_ctz_i32_b" + size, scalar<I32(T)>([](auto a) { return trailing_zeros(a); }));
    table.add("s_flbit_i32_b" + size + " s_clz_i32_u" + size, scalar<I32(T)>([](auto a) { return leading_zeros(a); }));
    table.add(size == "32" ? "s_flbit_i32 s_cls_i32" : "s_flbit_i32_i64 s_cls_i32_i64",
              scalar<I32(Signed)>([](auto a) { return leading_signs(a); }));
}

template <class T>
void add_single_bits(OperationTable &table, const std::string &size) {
    table.add("s_bitset0_b" + size,
              scalar<T(U32, Destination<T>)>([](auto a, auto old) { return old & ~(decltype(old)(1) << as<T>(a)); }));
    table.add("s_bitset1_b" + size,
              scalar<T(U32, Destination<T>)>([](auto a, auto old) { return old | decltype(old)(1) << as<T>(a); }));
}

template <class T>
void add_all(OperationTable &table, const std::string &size) {
    add_logic<T>(table, size);
    add_shifts<T>(table, size);
    add_fields<T>(table, size);
    add_counts<T>(table, size);
    add_single_bits<T>(table, size);
}

} // namespace

void add_scalar_bit_operations(OperationTable &table) {
    add_all<U32>(table, "32");
    add_all<U64>(table, "64");
}

} // namespace isovmaf::amd
