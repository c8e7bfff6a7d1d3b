// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string_view>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// Parses the value of --cpumask or --gpumask: decimal, or hexadecimal behind 0x. A minus gives the two's complement,
/// so -1 has all bits set. `option` is the name that an error gives.
[[nodiscard]] Result<std::uint64_t> parse_bit_mask(std::string_view option, std::string_view text);

} // namespace isovmaf
