// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <limits>

#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/integers.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

/// Does the body for each half of 32 bits.
template <class T, class Body>
struct Halves {
    template <class... N>
    constexpr auto operator()(N... sources) const {
        const auto low = Body{}(as<T>(sources)...);
        const auto high = Body{}(as<T>(sources >> 16)...);
        return as<U32>(as<U16>(low)) | as<U32>(as<U16>(high)) << 16;
    }
};

template <class T, class Body>
void add_pairs(OperationTable &table, std::string_view name, Body) {
    table.add(name, operation<Packed(Packed, Packed)>(Halves<T, Body>{}));
}

template <class T, class Body>
void add_triples(OperationTable &table, std::string_view name, Body) {
    table.add(name, operation<Packed(Packed, Packed, Packed)>(Halves<T, Body>{}));
}

/// The nearest number of the type T.
template <class T, class N>
constexpr auto saturated(N a) {
    using Wide = decltype(a.bits);
    constexpr N least = static_cast<Wide>(std::numeric_limits<T>::min());
    constexpr N most = static_cast<Wide>(std::numeric_limits<T>::max());
    return as<U32>(smaller(larger(a, least), most)) & static_cast<U32>(static_cast<std::make_unsigned_t<T>>(~T{0}));
}

void add_narrowing(OperationTable &table) {
    table.add("v_pack_b32_f16",
              operation<Packed(U16, U16)>([](auto a, auto b) { return as<U32>(a) | as<U32>(b) << 16; }));
    table.add("v_cvt_pk_u16_u32",
              operation<Packed(U32, U32)>([](auto a, auto b) { return saturated<U16>(a) | saturated<U16>(b) << 16; }));
    table.add("v_cvt_pk_i16_i32",
              operation<Packed(I32, I32)>([](auto a, auto b) { return saturated<I16>(a) | saturated<I16>(b) << 16; }));
    table.add("v_sat_pk_u8_i16", keeping(operation<U16(Packed)>([](auto a) {
                  return as<U16>(saturated<std::uint8_t>(as<I16>(a)) | saturated<std::uint8_t>(as<I16>(a >> 16)) << 8);
              })));
}

} // namespace

void add_packed_operations(OperationTable &table) {
    add_pairs<U16>(table, "v_pk_add_u16 v_pk_add_i16", [](auto a, auto b) { return a + b; });
    add_pairs<U16>(table, "v_pk_sub_u16 v_pk_sub_i16", [](auto a, auto b) { return a - b; });
    add_pairs<U16>(table, "v_pk_mul_lo_u16", [](auto a, auto b) { return a * b; });
    add_pairs<U16>(table, "v_pk_min_u16", [](auto a, auto b) { return smaller(a, b); });
    add_pairs<U16>(table, "v_pk_max_u16", [](auto a, auto b) { return larger(a, b); });
    add_pairs<I16>(table, "v_pk_min_i16", [](auto a, auto b) { return smaller(a, b); });
    add_pairs<I16>(table, "v_pk_max_i16", [](auto a, auto b) { return larger(a, b); });
    add_pairs<U16>(table, "v_pk_lshlrev_b16", [](auto a, auto b) { return b << a; });
    add_pairs<U16>(table, "v_pk_lshrrev_b16", [](auto a, auto b) { return b >> a; });
    add_pairs<I16>(table, "v_pk_ashrrev_i16", [](auto a, auto b) { return b >> a; });
    add_triples<U16>(table, "v_pk_mad_u16 v_pk_mad_i16", [](auto a, auto b, auto c) { return a * b + c; });
    add_narrowing(table);
}

} // namespace isovmaf::amd
