// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "math/math.hpp"

namespace isovmaf::math {

/// The functions with the fused multiply-add that the compiler knows for the target; null if it knows none. Of x86-64
/// they run on processors with FMA only.
[[nodiscard]] const Functions *functions_with_instruction();

} // namespace isovmaf::math
