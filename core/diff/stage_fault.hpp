// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diff/result.hpp"
#include "features/feature.hpp"

namespace isovmaf::diff {

/// Values of one stage, row after row without gaps.
using StagePlane = std::span<const std::int64_t>;

/// What differs between two computations of a stage, or nothing when all values are equal.
[[nodiscard]] std::optional<StageFault> compare_stage(const Stage &stage, StagePlane expected, StagePlane found);

/// What the positions of the differences have in common, one phrase for each pattern, the most telling first. `differs`
/// has a flag per value.
[[nodiscard]] std::vector<std::string> find_patterns(const Stage &stage, const std::vector<bool> &differs);

/// SHA-256 over the values as 64-bit little-endian words, in hexadecimal.
[[nodiscard]] std::string stage_hash(StagePlane values);

} // namespace isovmaf::diff
