// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string_view>
#include <vector>

#include "hip/testing/amd/instruction.hpp"

namespace isovmaf::amd {

/// A line of the disassembler, cut into pieces of the same text.
struct Pieces {
    std::string_view mnemonic;
    std::vector<std::string_view> operands;
    std::vector<std::string_view> modifiers;
};

Pieces cut(std::string_view text);

/// Reads "v[2:3]", "v1.h", "-|v1|", "sext(v4)", "vcc_lo", "0x3f0", "1.0" and their like. What a constant means depends
/// on `kind`. Throws std::runtime_error for what the executor does not know.
Operand parse_operand(std::string_view text, Kind kind);

/// The number in "name:NUMBER", or `absent`.
int number_of(const Pieces &pieces, std::string_view name, int absent);

/// Applies what modifiers such as "src0_sel:WORD_1" and "op_sel:[0,1]" say of the operands of arithmetic.
void apply_modifiers(const Pieces &pieces, Instruction &instruction);

} // namespace isovmaf::amd
