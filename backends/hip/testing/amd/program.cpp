// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/program.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/parser.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

/// Stands for an instruction that the executor does not know. Code that is never reached may have any.
void refuse_instruction(Wave &, const Instruction &) {
    throw Fault("the executor does not know this instruction, its operands or its modifiers");
}

Instruction parse_or_refuse(std::string_view text) {
    try {
        return parse_instruction(text);
    } catch (const std::runtime_error &) {
        Instruction unknown;
        unknown.execute = refuse_instruction;
        return unknown;
    }
}

bool is_branch(std::string_view text) { return text.starts_with("s_branch ") || text.starts_with("s_cbranch_"); }

} // namespace

Program::Program(std::string_view elf) : code_(elf), lines_(disassemble(elf)) {
    instructions_.reserve(lines_.size());
    for (std::uint32_t i = 0; i < lines_.size(); i++)
        add(lines_[i], i);
    resolve_branches();
}

void Program::add(const Line &line, std::uint32_t number) {
    indices_[line.address] = static_cast<std::uint32_t>(instructions_.size());
    const std::string_view text = line.text;
    const std::size_t pair = text.find(" :: ");
    instructions_.push_back(parse_or_refuse(text.substr(0, pair)));
    instructions_.back().line = number;
    if (pair == std::string_view::npos)
        return;
    instructions_.back().paired = true;
    instructions_.push_back(parse_or_refuse(text.substr(pair + 4)));
    instructions_.back().line = number;
}

/// A branch counts in words from the instruction behind it; the disassembler prints the count as an unsigned number.
void Program::resolve_branches() {
    for (Instruction &instruction : instructions_) {
        const Line &line = lines_[instruction.line];
        if (!is_branch(line.text))
            continue;
        const auto words = static_cast<std::int16_t>(instruction.sources[0].bits);
        instruction.target = index_at(line.address + 4 + static_cast<std::uint64_t>(words * 4));
    }
}

const Kernel *Program::find(std::string_view kernel) const {
    const auto found = std::ranges::find(code_.kernels(), kernel, &Kernel::name);
    return found == code_.kernels().end() ? nullptr : &*found;
}

std::uint32_t Program::index_at(std::uint64_t address) const {
    const auto found = indices_.find(address);
    if (found == indices_.end())
        throw std::runtime_error(fmt::format("there is no instruction at {:#x}", address));
    return found->second;
}

std::uint64_t Program::address_of(std::uint32_t index) const { return lines_[instructions_.at(index).line].address; }

std::string_view Program::text_of(std::uint32_t index) const { return lines_[instructions_.at(index).line].text; }

std::string Program::describe(std::uint32_t index) const {
    return fmt::format("\"{}\" at {:#x}", text_of(index), address_of(index));
}

const SpecialInstruction *find_special_instruction(std::string_view mnemonic) {
    for (const auto table : {control_instructions(), scalar_memory_instructions(), global_memory_instructions(),
                             local_memory_instructions(), lane_instructions()})
        for (const SpecialInstruction &special : table)
            if (special.mnemonic == mnemonic)
                return &special;
    return nullptr;
}

} // namespace isovmaf::amd
