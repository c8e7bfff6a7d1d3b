// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "align/offset_costs.hpp"
#include "align/wide_search.hpp"
#include "isovmaf/result.hpp"

/// What small pictures say of a part of two videos, as bytes: whoever joins all parts knows what one who saw the whole
/// videos knows. 48 bytes a pair with a reach of 11, the pictures of 2 * reach pairs at the ends, and those of the
/// pairs that WideSearch keeps.
namespace isovmaf {

/// The bytes of a part that begins with the pair of this number. The reference is fixed, and all frames have partners.
[[nodiscard]] std::vector<std::byte> encode_part(std::size_t first_pair, const OffsetCosts &costs,
                                                 const WideSearch &wide);

/// Adds a part to those before it. Fails with corrupt_data, and leaves both as they are, when the bytes are damaged or
/// are not those of the next part.
Result<void> append_part(std::span<const std::byte> bytes, OffsetCosts &costs, WideSearch &wide);

} // namespace isovmaf
