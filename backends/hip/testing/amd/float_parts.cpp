// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <string>

#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/float_arithmetic.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

/// A whole number near `a`. `body` gets its value as a double, in which every such number is exact.
template <class F, class Body>
F whole(const Modes &modes, F a, Body body) {
    a = source(modes, a);
    if (!is_finite(a))
        return is_nan(a) ? quiet(a) : a;
    return rounded<F>(exact_number(body(to_double(a))), Rounding::zero);
}

template <class F, class Body>
void add_whole(OperationTable &table, const std::string &names, Body) {
    table.add(names, numeric<F(F)>([](const Modes &m, F a) { return whole(m, a, Body{}); }));
}

/// The nearest whole number, the even one of two, whatever the host's rounding mode is.
double to_nearest_even(double a) {
    const double down = std::floor(a), rest = a - down;
    const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2) != 0);
    return std::copysign(up ? down + 1 : down, a);
}

/// The fraction is in [0.5, 1). An infinity or NaN stays as it is, with the exponent 0.
template <class F>
F fraction(const Modes &modes, F a) {
    a = source(modes, a);
    if (!is_finite(a))
        return is_nan(a) ? quiet(a) : a;
    int exponent = 0;
    return rounded<F>(exact_number(std::frexp(to_double(a), &exponent)), Rounding::zero);
}

template <class F>
I32 exponent(const Modes &modes, F a) {
    a = source(modes, a);
    int exponent = 0;
    if (is_finite(a))
        std::frexp(to_double(a), &exponent);
    return exponent;
}

template <class F>
void add_parts(OperationTable &table, const std::string &type) {
    const std::string scalar = std::is_same_v<F, F64> ? "" : " s_";
    const auto names = [&](const std::string &name) {
        return "v_" + name + "_" + type + (scalar.empty() ? "" : scalar + name + "_" + type);
    };
    add_whole<F>(table, names("trunc"), [](double a) { return std::trunc(a); });
    add_whole<F>(table, names("ceil"), [](double a) { return std::ceil(a); });
    add_whole<F>(table, names("floor"), [](double a) { return std::floor(a); });
    add_whole<F>(table, names("rndne"), [](double a) { return to_nearest_even(a); });
    table.add("v_frexp_mant_" + type, numeric<F(F)>([](const Modes &m, F a) { return fraction(m, a); }));
}

} // namespace

void add_float_parts(OperationTable &table) {
    add_parts<F16>(table, "f16");
    add_parts<F32>(table, "f32");
    add_parts<F64>(table, "f64");
    table.add("v_frexp_exp_i16_f16",
              numeric<I16(F16)>([](const Modes &m, F16 a) { return static_cast<I16>(exponent(m, a)); }));
    table.add("v_frexp_exp_i32_f32", numeric<I32(F32)>([](const Modes &m, F32 a) { return exponent(m, a); }));
    table.add("v_frexp_exp_i32_f64", numeric<I32(F64)>([](const Modes &m, F64 a) { return exponent(m, a); }));
    table.add("v_ldexp_f16", numeric<F16(F16, I16)>([](const Modes &m, F16 a, I16 b) { return scaled(m, a, b); }));
    table.add("v_ldexp_f32", numeric<F32(F32, I32)>([](const Modes &m, F32 a, I32 b) { return scaled(m, a, b); }));
    table.add("v_ldexp_f64", numeric<F64(F64, I32)>([](const Modes &m, F64 a, I32 b) { return scaled(m, a, b); }));
}

} // namespace isovmaf::amd
