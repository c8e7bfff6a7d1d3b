// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isovmaf::amd {

/// One instruction as LLVM's disassembler writes it.
struct Line {
    std::uint64_t address = 0;
    std::string text;
};

/// All instructions of a code object, by address. Runs LLVM's llvm-objdump. Throws std::runtime_error if that fails.
std::vector<Line> disassemble(std::string_view elf);

} // namespace isovmaf::amd
