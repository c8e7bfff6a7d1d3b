// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/define.hpp"
#include "hip/testing/amd/float_arithmetic.hpp"
#include "hip/testing/amd/float_order.hpp"
#include "hip/testing/amd/operation_table.hpp"

namespace isovmaf::amd {
namespace {

/// Two numbers of the format F, which are computed one by one.
template <class F, class Body>
struct FloatHalves {
    using Both = std::conditional_t<std::is_same_v<F, F16>, U32, U64>;
    static constexpr unsigned bits = width<Bits<F>>;

    template <class... Pair>
    constexpr Both operator()(const Modes &modes, Pair... pairs) const {
        const F low = Body{}(modes, F{static_cast<Bits<F>>(pairs)}...);
        const F high = Body{}(modes, F{static_cast<Bits<F>>(pairs >> bits)}...);
        return low.bits | static_cast<Both>(static_cast<Both>(high.bits) << bits);
    }
};

template <class F>
using Pair = std::conditional_t<std::is_same_v<F, F16>, Packed, U64>;

template <class F, class Body>
void add_pairs(OperationTable &table, std::string_view names, Body) {
    table.add(names, numeric<Pair<F>(Pair<F>, Pair<F>)>(FloatHalves<F, Body>{}));
}

template <class F>
void add_fused_pairs(OperationTable &table, std::string_view name) {
    const auto body = [](const Modes &m, F a, F b, F c) { return fused(m, a, b, c); };
    table.add(name, numeric<Pair<F>(Pair<F>, Pair<F>, Pair<F>)>(FloatHalves<F, decltype(body)>{}));
}

} // namespace

void add_packed_float_operations(OperationTable &table) {
    add_pairs<F16>(table, "v_pk_add_f16", [](const Modes &m, F16 a, F16 b) { return sum(m, a, b); });
    add_pairs<F16>(table, "v_pk_mul_f16", [](const Modes &m, F16 a, F16 b) { return product(m, a, b); });
    add_pairs<F16>(table, "v_pk_min_f16 v_pk_min_num_f16",
                   [](const Modes &m, F16 a, F16 b) { return minimum(m, a, b); });
    add_pairs<F16>(table, "v_pk_max_f16 v_pk_max_num_f16",
                   [](const Modes &m, F16 a, F16 b) { return maximum(m, a, b); });
    add_fused_pairs<F16>(table, "v_pk_fma_f16");
    add_pairs<F32>(table, "v_pk_add_f32", [](const Modes &m, F32 a, F32 b) { return sum(m, a, b); });
    add_pairs<F32>(table, "v_pk_mul_f32", [](const Modes &m, F32 a, F32 b) { return product(m, a, b); });
    add_fused_pairs<F32>(table, "v_pk_fma_f32");
}

} // namespace isovmaf::amd
