// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hip/testing/amd/code_object.hpp"
#include "hip/testing/amd/disassembly.hpp"
#include "hip/testing/amd/instruction.hpp"

namespace isovmaf::amd {

/// The instructions of a code object, ready to be executed. Constant once it is made.
class Program {
  public:
    explicit Program(std::string_view elf);

    [[nodiscard]] const CodeObject &code() const { return code_; }
    [[nodiscard]] const std::vector<Instruction> &instructions() const { return instructions_; }
    [[nodiscard]] const Kernel *find(std::string_view kernel) const;

    /// The index of the instruction at an address relative to the image. Throws std::runtime_error if there is none.
    [[nodiscard]] std::uint32_t index_at(std::uint64_t address) const;
    [[nodiscard]] std::uint64_t address_of(std::uint32_t index) const;

    /// The instruction as the disassembler wrote it. Both halves of a dual instruction have one text.
    [[nodiscard]] std::string_view text_of(std::uint32_t index) const;

    /// The text of an instruction and its place, for messages.
    [[nodiscard]] std::string describe(std::uint32_t index) const;

  private:
    void add(const Line &line, std::uint32_t number);
    void resolve_branches();

    CodeObject code_;
    std::vector<Line> lines_;
    std::vector<Instruction> instructions_;
    std::unordered_map<std::uint64_t, std::uint32_t> indices_; ///< of instructions, by address
};

} // namespace isovmaf::amd
