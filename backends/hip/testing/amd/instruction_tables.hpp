// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "hip/testing/amd/instruction.hpp"

namespace isovmaf::amd {

/// Execute the arithmetic of `Instruction::operation`.
void execute_vector(Wave &wave, const Instruction &instruction);
void execute_scalar(Wave &wave, const Instruction &instruction);

/// Both halves of a dual instruction, the second of which follows the first. Both read their sources before either
/// writes.
void execute_dual(Wave &wave, const Instruction &first);

/// What each lane of a memory instruction accesses: `parts` times `bytes`. `scale` turns an offset into bytes.
struct LaneAccess {
    std::uint8_t bytes = 0, parts = 1;
    std::uint16_t scale = 1;
};

/// An instruction that is no arithmetic. Its operands are all in `Instruction::sources`.
struct SpecialInstruction {
    std::string_view mnemonic;
    Execute execute;
    bool ignores_operands = false;
    LaneAccess access = {}; ///< nothing, unless lanes access memory
};

std::span<const SpecialInstruction> control_instructions();
std::span<const SpecialInstruction> scalar_memory_instructions();
std::span<const SpecialInstruction> global_memory_instructions();
std::span<const SpecialInstruction> local_memory_instructions();
std::span<const SpecialInstruction> lane_instructions();

/// The instruction of any of these tables, or null.
const SpecialInstruction *find_special_instruction(std::string_view mnemonic);

} // namespace isovmaf::amd
