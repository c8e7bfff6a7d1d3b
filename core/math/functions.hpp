// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "math/exp.hpp"
#include "math/log.hpp"
#include "math/math.hpp"
#include "math/pow.hpp"
#include "math/powf.hpp"

namespace isovmaf::math {

template <class Fused>
constexpr Functions functions_with() {
    return {exp_with<Fused>, log_with<Fused>, log2_with<Fused>, log10_with<Fused>, pow_with<Fused>, powf_with<Fused>};
}

} // namespace isovmaf::math
