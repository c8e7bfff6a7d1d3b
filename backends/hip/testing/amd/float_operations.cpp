// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <string>

#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/float_arithmetic.hpp"
#include "hip/testing/amd/float_order.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

template <class F>
void add_arithmetic(OperationTable &table, const std::string &type) {
    table.add("v_add_" + type, numeric<F(F, F)>([](const Modes &m, F a, F b) { return sum(m, a, b); }));
    table.add("v_sub_" + type, numeric<F(F, F)>([](const Modes &m, F a, F b) { return sum(m, a, negated(b)); }));
    table.add("v_subrev_" + type, numeric<F(F, F)>([](const Modes &m, F a, F b) { return sum(m, b, negated(a)); }));
    table.add("v_mul_" + type, numeric<F(F, F)>([](const Modes &m, F a, F b) { return product(m, a, b); }));
    // The constant is the second source of fmamk and the third one of fmaak.
    const auto body = [](const Modes &m, F a, F b, F c) { return fused(m, a, b, c); };
    table.add("v_fma_" + type, keeping(numeric<F(F, F, F)>(body)));
    table.add("v_fmac_" + type, numeric<F(F, F, Destination<F>)>(body));
    table.add("v_fmamk_" + type + " v_fmaak_" + type, numeric<F(F, F, F)>(body));
}

/// A product and a sum that are rounded one after the other. They have subnormal numbers in no mode.
F32 unfused(Modes modes, F32 a, F32 b, F32 c) {
    modes.denormals_f32 = 0;
    return sum(modes, product(modes, a, b), c);
}

void add_unfused(OperationTable &table) {
    const auto body = [](const Modes &m, F32 a, F32 b, F32 c) { return unfused(m, a, b, c); };
    table.add("v_mad_f32 v_madmk_f32 v_madak_f32", numeric<F32(F32, F32, F32)>(body));
    table.add("v_mac_f32", numeric<F32(F32, F32, Destination<F32>)>(body));
}

/// 0 times anything is +0.
F32 legacy_product(const Modes &modes, F32 a, F32 b) {
    const bool zero = is_zero(source(modes, a)) || is_zero(source(modes, b));
    return zero ? F32{0} : product(modes, a, b);
}

F32 legacy_fused(const Modes &modes, F32 a, F32 b, F32 c) {
    const bool zero = is_zero(source(modes, a)) || is_zero(source(modes, b));
    return zero ? sum(modes, F32{0}, c) : fused(modes, a, b, c);
}

template <class F>
void add_extremes(OperationTable &table, const std::string &type) {
    table.add("v_min_" + type + " v_min_num_" + type,
              numeric<F(F, F)>([](const Modes &m, F a, F b) { return minimum(m, a, b); }));
    table.add("v_max_" + type + " v_max_num_" + type,
              numeric<F(F, F)>([](const Modes &m, F a, F b) { return maximum(m, a, b); }));
    table.add("v_minimum_" + type,
              numeric<F(F, F)>([](const Modes &m, F a, F b) { return keeping_nan(m, a, b, minimum<F>); }));
    table.add("v_maximum_" + type,
              numeric<F(F, F)>([](const Modes &m, F a, F b) { return keeping_nan(m, a, b, maximum<F>); }));
}

template <class F>
void add_extremes_of_three(OperationTable &table, const std::string &type) {
    const auto add = [&](const std::string &name, Operation operation) {
        table.add("v_" + name + "_" + type + " v_" + name + "_num_" + type, keeping(operation));
    };
    add("min3", numeric<F(F, F, F)>([](const Modes &m, F a, F b, F c) { return minimum(m, minimum(m, a, b), c); }));
    add("max3", numeric<F(F, F, F)>([](const Modes &m, F a, F b, F c) { return maximum(m, maximum(m, a, b), c); }));
    add("med3", numeric<F(F, F, F)>([](const Modes &m, F a, F b, F c) { return median(m, a, b, c); }));
    add("minmax", numeric<F(F, F, F)>([](const Modes &m, F a, F b, F c) { return maximum(m, minimum(m, a, b), c); }));
    add("maxmin", numeric<F(F, F, F)>([](const Modes &m, F a, F b, F c) { return minimum(m, maximum(m, a, b), c); }));
}

void add_scalar_arithmetic(OperationTable &table) {
    table.add("s_add_f32", numeric<F32(F32, F32)>([](const Modes &m, F32 a, F32 b) { return sum(m, a, b); }));
    table.add("s_sub_f32", numeric<F32(F32, F32)>([](const Modes &m, F32 a, F32 b) { return sum(m, a, negated(b)); }));
    table.add("s_mul_f32", numeric<F32(F32, F32)>([](const Modes &m, F32 a, F32 b) { return product(m, a, b); }));
    table.add("s_min_f32 s_min_num_f32",
              numeric<F32(F32, F32)>([](const Modes &m, F32 a, F32 b) { return minimum(m, a, b); }));
    table.add("s_max_f32 s_max_num_f32",
              numeric<F32(F32, F32)>([](const Modes &m, F32 a, F32 b) { return maximum(m, a, b); }));
    table.add("s_fmac_f32", numeric<F32(F32, F32, Destination<F32>)>(
                                [](const Modes &m, F32 a, F32 b, F32 c) { return fused(m, a, b, c); }));
}

} // namespace

void add_float_operations(OperationTable &table) {
    add_arithmetic<F16>(table, "f16");
    add_arithmetic<F32>(table, "f32");
    add_arithmetic<F64>(table, "f64");
    add_unfused(table);
    table.add("v_mul_legacy_f32 v_mul_dx9_zero_f32",
              numeric<F32(F32, F32)>([](const Modes &m, F32 a, F32 b) { return legacy_product(m, a, b); }));
    table.add(
        "v_fma_legacy_f32 v_fma_dx9_zero_f32",
        numeric<F32(F32, F32, F32)>([](const Modes &m, F32 a, F32 b, F32 c) { return legacy_fused(m, a, b, c); }));
    table.add("v_fmac_legacy_f32 v_fmac_dx9_zero_f32",
              numeric<F32(F32, F32, Destination<F32>)>(
                  [](const Modes &m, F32 a, F32 b, F32 c) { return legacy_fused(m, a, b, c); }));
    add_extremes<F16>(table, "f16");
    add_extremes<F32>(table, "f32");
    add_extremes<F64>(table, "f64");
    add_extremes_of_three<F16>(table, "f16");
    add_extremes_of_three<F32>(table, "f32");
    add_scalar_arithmetic(table);
}

} // namespace isovmaf::amd
