// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <concepts>

namespace isovmaf {

/// The least multiple of `alignment` that is `value` or more. Both are positive.
template <std::integral T>
[[nodiscard]] constexpr T align_up(T value, T alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

} // namespace isovmaf
