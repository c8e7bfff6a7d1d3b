// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string_view>

#include "hip/testing/amd/instruction.hpp"

namespace isovmaf::amd {

/// Reads the text of one instruction, or of one half of a dual instruction. Throws std::runtime_error for what the
/// executor does not know. The first source of a branch is its distance in words.
Instruction parse_instruction(std::string_view text);

} // namespace isovmaf::amd
