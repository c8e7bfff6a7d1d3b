// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <limits>
#include <string>

#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/float_arithmetic.hpp"
#include "hip/testing/amd/integers.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

/// A whole number as an integer. NaN becomes 0, numbers outside become the nearest integer of the type.
template <class T>
T saturated(double whole) {
    if (std::isnan(whole))
        return 0;
    constexpr double least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    return static_cast<T>(std::min(std::max(whole, least), most));
}

template <class T, class F>
T truncated(const Modes &modes, F a) {
    return saturated<T>(std::trunc(to_double(source(modes, a))));
}

template <class T, class F>
void add_to_integer(OperationTable &table, const std::string &names) {
    table.add(names, numeric<T(F)>([](const Modes &m, F a) { return truncated<T>(m, a); }));
}

template <class F, class T>
void add_from_integer(OperationTable &table, const std::string &names) {
    table.add(names, numeric<F(T)>([](const Modes &m, T a) { return converted_integer<F>(m, a); }));
}

template <class To, class From>
void add_between(OperationTable &table, const std::string &names) {
    table.add(names, numeric<To(From)>([](const Modes &m, From a) { return converted<To>(m, a); }));
}

/// One byte of the source as a number: the other bytes may be undefined.
template <unsigned index>
void add_from_byte(OperationTable &table) {
    table.add("v_cvt_f32_ubyte" + std::to_string(index), operation<F32(U32)>([](auto a) {
                  return apply([](U32 bits) { return from_host(static_cast<float>(bits)); }, byte(a, index));
              }));
}

U32 toward_zero_pair(Modes modes, F32 a, F32 b) {
    modes.round_f64 = Rounding::zero;
    return converted<F16>(modes, a).bits | U32{converted<F16>(modes, b).bits} << 16;
}

} // namespace

void add_conversions(OperationTable &table) {
    add_to_integer<I32, F32>(table, "v_cvt_i32_f32 s_cvt_i32_f32");
    add_to_integer<U32, F32>(table, "v_cvt_u32_f32 s_cvt_u32_f32");
    add_to_integer<I32, F64>(table, "v_cvt_i32_f64");
    add_to_integer<U32, F64>(table, "v_cvt_u32_f64");
    add_to_integer<I16, F16>(table, "v_cvt_i16_f16");
    add_to_integer<U16, F16>(table, "v_cvt_u16_f16");
    table.add("v_cvt_flr_i32_f32 v_cvt_floor_i32_f32", numeric<I32(F32)>([](const Modes &m, F32 a) {
                  return saturated<I32>(std::floor(to_double(source(m, a))));
              }));
    table.add("v_cvt_rpi_i32_f32 v_cvt_nearest_i32_f32", numeric<I32(F32)>([](const Modes &m, F32 a) {
                  return saturated<I32>(std::floor(to_double(source(m, a)) + 0.5));
              }));

    add_from_integer<F32, I32>(table, "v_cvt_f32_i32 s_cvt_f32_i32");
    add_from_integer<F32, U32>(table, "v_cvt_f32_u32 s_cvt_f32_u32");
    add_from_integer<F64, I32>(table, "v_cvt_f64_i32");
    add_from_integer<F64, U32>(table, "v_cvt_f64_u32");
    add_from_integer<F16, I16>(table, "v_cvt_f16_i16");
    add_from_integer<F16, U16>(table, "v_cvt_f16_u16");
    add_from_byte<0>(table);
    add_from_byte<1>(table);
    add_from_byte<2>(table);
    add_from_byte<3>(table);

    add_between<F64, F32>(table, "v_cvt_f64_f32");
    add_between<F32, F64>(table, "v_cvt_f32_f64");
    add_between<F16, F32>(table, "v_cvt_f16_f32 s_cvt_f16_f32");
    add_between<F32, F16>(table, "v_cvt_f32_f16 s_cvt_f32_f16");
    table.add("v_cvt_pkrtz_f16_f32 v_cvt_pk_rtz_f16_f32 s_cvt_pk_rtz_f16_f32",
              numeric<Packed(F32, F32)>([](const Modes &m, F32 a, F32 b) { return toward_zero_pair(m, a, b); }));

    table.add("v_cvt_u32_u16", operation<U32(U16)>([](auto a) { return as<U32>(a); }));
    table.add("v_cvt_i32_i16", operation<I32(I16)>([](auto a) { return as<I32>(a); }));
}

} // namespace isovmaf::amd
