// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "math/atan2.hpp"
#include "math/exp.hpp"
#include "math/log.hpp"
#include "math/math.hpp"
#include "math/pow.hpp"
#include "math/powf.hpp"
#include "math/sin_cos.hpp"

namespace isovmaf::math {

/// The functions with one way to fuse.
template <class Fused>
constexpr Functions functions_with() {
    return {exp_with<Fused>,  log_with<Fused>, log2_with<Fused>, log10_with<Fused>, pow_with<Fused>,
            powf_with<Fused>, sin_with<Fused>, cos_with<Fused>,  atan2_with<Fused>};
}

/// The functions with the fused multiply-add that the compiler knows for the target; null if it knows none. Of x86-64
/// they run on processors with FMA only.
[[nodiscard]] const Functions *functions_with_instruction();

} // namespace isovmaf::math
