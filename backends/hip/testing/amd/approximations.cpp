// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <numbers>
#include <string>

#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/float_arithmetic.hpp"
#include "hip/testing/amd/operation_table.hpp"

/// Instructions whose results the documents only bound. The correctly rounded value is within every bound.
namespace isovmaf::amd {
namespace {

/// The error that is allowed, in units of the last place of the result.
template <class F>
inline constexpr Bits<F> allowed_error = 0;
template <>
inline constexpr U32 allowed_error<F32> = 1;
template <>
inline constexpr U64 allowed_error<F64> = U64{1} << 29;

/// Moves a finite number by steps between neighbours, to lower values or to higher ones, but not to infinity or past 0.
/// A number of f32 stays normal, because its approximations have no subnormal numbers.
template <class F>
F moved(F a, Bits<F> steps, bool lower) {
    const Bits<F> old = magnitude(a);
    const bool outwards = is_negative(a) == lower;
    const Bits<F> least = std::is_same_v<F, F32> ? std::min(old, hidden_bit<F>) : Bits<F>{0};
    const Bits<F> room = static_cast<Bits<F>>(outwards ? infinity<F> - 1 - old : old - least);
    const Bits<F> taken = std::min(steps, room);
    return with_sign<F>(static_cast<Bits<F>>(outwards ? old + taken : old - taken), is_negative(a));
}

/// The value that the modes ask for. `nearest` is the correctly rounded one of `value`.
template <class F>
F approximated(const Modes &modes, F nearest, double value) {
    if (modes.approximation == Approximation::exact || !is_finite(nearest) || is_zero(nearest) || allowed_error<F> == 0)
        return nearest;
    const bool lower = modes.approximation == Approximation::lowest;
    const double there = to_double(nearest);
    const bool already_moved = std::is_same_v<F, F64> || (lower ? there < value : there > value);
    return moved<F>(nearest, static_cast<Bits<F>>(allowed_error<F> - already_moved), lower);
}

/// The approximate instructions of f32 have no subnormal numbers in any mode, those of f16 and f64 by the modes.
template <class F>
Modes modes_of_approximations(Modes modes) {
    modes.denormals_f32 = 0;
    return modes;
}

/// Computes with doubles: `body` gets and returns one.
template <class F, class Body>
F approximate(const Modes &given, F a, Body body) {
    const Modes modes = modes_of_approximations<F>(given);
    a = source(modes, a);
    if (is_nan(a))
        return quiet(a);
    const double value = body(to_double(a));
    if (std::isnan(value))
        return default_nan<F>;
    if (std::isinf(value))
        return with_sign<F>(infinity<F>, std::signbit(value));
    return result(modes, approximated(modes, rounded<F>(exact_number(value), Rounding::nearest_even), value));
}

template <class F, class Body>
void add(OperationTable &table, const std::string &names, Body) {
    table.add(names, numeric<F(F)>([](const Modes &m, F a) { return approximate(m, a, Body{}); }));
}

template <class F>
void add_roots(OperationTable &table, const std::string &type) {
    const auto names = [&](const std::string &name) {
        return "v_" + name + "_" + type + (std::is_same_v<F, F64> ? "" : " v_s_" + name + "_" + type);
    };
    add<F>(table, names("rcp") + (std::is_same_v<F, F32> ? " v_rcp_iflag_f32" : ""), [](double a) { return 1 / a; });
    add<F>(table, names("sqrt"), [](double a) { return std::sqrt(a); });
    add<F>(table, names("rsq"), [](double a) { return 1 / std::sqrt(a); });
}

template <class F>
void add_powers(OperationTable &table, const std::string &type) {
    add<F>(table, "v_exp_" + type + " v_s_exp_" + type, [](double a) { return std::exp2(a); });
    add<F>(table, "v_log_" + type + " v_s_log_" + type, [](double a) { return std::log2(a); });
}

} // namespace

void add_approximations(OperationTable &table) {
    add_roots<F16>(table, "f16");
    add_roots<F32>(table, "f32");
    add_roots<F64>(table, "f64");
    add_powers<F16>(table, "f16");
    add_powers<F32>(table, "f32");
    // The source counts turns.
    add<F32>(table, "v_sin_f32", [](double a) { return std::sin(std::remainder(a, 1) * 2 * std::numbers::pi); });
    add<F32>(table, "v_cos_f32", [](double a) { return std::cos(std::remainder(a, 1) * 2 * std::numbers::pi); });
}

} // namespace isovmaf::amd
