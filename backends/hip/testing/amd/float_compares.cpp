// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/compares.hpp"
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/float_format.hpp"

namespace isovmaf::amd {
namespace {

/// How two numbers compare: one of these holds.
struct Relation {
    bool less, equal, greater, unordered;
};

template <class F>
[[gnu::noinline]] Relation relation(const Modes &modes, F a, F b) {
    const double x = to_double(source(modes, a)), y = to_double(source(modes, b));
    return {x<y, x == y, x> y, std::isunordered(x, y)};
}

/// The names and the negated names of vector compares: "nlt" holds for NaNs too.
template <class F, class Body>
void add_relation(OperationTable &table, const std::string &name, const std::string &negated_name,
                  const std::string &type, Body) {
    const Operation holds = numeric<bool(F, F)>([](const Modes &m, F a, F b) { return Body{}(relation(m, a, b)); });
    const Operation fails = numeric<bool(F, F)>([](const Modes &m, F a, F b) { return !Body{}(relation(m, a, b)); });
    add_compare(table, name + "_" + type, holds);
    add_compare(table, negated_name + "_" + type, fails);
    if (std::is_same_v<F, F32>) {
        table.add("s_cmp_" + name + "_" + type, holds);
        table.add("s_cmp_" + negated_name + "_" + type, fails);
    }
}

/// The bit of a mask of classes that is the class of the number.
template <class F>
constexpr unsigned class_of(F a) {
    if (is_nan(a))
        return is_signalling(a) ? 0 : 1;
    const bool negative = is_negative(a);
    if (is_infinite(a))
        return negative ? 2 : 9;
    if (is_subnormal(a))
        return negative ? 4 : 7;
    if (is_zero(a))
        return negative ? 5 : 6;
    return negative ? 3 : 8;
}

template <class F>
void add_all(OperationTable &table, const std::string &type) {
    add_relation<F>(table, "lt", "nlt", type, [](Relation r) { return r.less; });
    add_relation<F>(table, "eq", "neq", type, [](Relation r) { return r.equal; });
    add_relation<F>(table, "le", "nle", type, [](Relation r) { return r.less || r.equal; });
    add_relation<F>(table, "gt", "ngt", type, [](Relation r) { return r.greater; });
    add_relation<F>(table, "lg", "nlg", type, [](Relation r) { return r.less || r.greater; });
    add_relation<F>(table, "ge", "nge", type, [](Relation r) { return r.greater || r.equal; });
    add_relation<F>(table, "o", "u", type, [](Relation r) { return !r.unordered; });
    add_compare(table, "class_" + type, numeric<bool(F, U32)>([](const Modes &, F a, U32 classes) {
                    return (classes >> class_of(a) & 1) != 0;
                }));
}

} // namespace

void add_float_compares(OperationTable &table) {
    add_all<F16>(table, "f16");
    add_all<F32>(table, "f32");
    add_all<F64>(table, "f64");
}

} // namespace isovmaf::amd
