// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <bit>
#include <cstdint>

#include "hip/testing/amd/instruction.hpp"

/// Parts of registers, which SDWA instructions and results of 16 bits read and write. The same functions move bits and
/// marks of undefined bits.
namespace isovmaf::amd {

inline std::uint32_t selected(std::uint32_t word, Selection selection, bool sign_extended) {
    const auto part = [&](unsigned shift, unsigned bits) {
        const std::uint32_t high = word << (32 - shift - bits);
        return sign_extended ? static_cast<std::uint32_t>(static_cast<std::int32_t>(high) >> (32 - bits))
                             : high >> (32 - bits);
    };
    switch (selection) {
    case Selection::dword:
        return word;
    case Selection::byte_0:
    case Selection::byte_1:
    case Selection::byte_2:
    case Selection::byte_3:
        return part(8 * (static_cast<unsigned>(selection) - static_cast<unsigned>(Selection::byte_0)), 8);
    case Selection::word_0:
        return part(0, 16);
    case Selection::word_1:
        return part(16, 16);
    }
    return word;
}

/// The bits of a register that an instruction with this selection writes.
inline std::uint32_t selected_bits(Selection selection) {
    switch (selection) {
    case Selection::dword:
        return ~0u;
    case Selection::word_0:
        return 0xffff;
    case Selection::word_1:
        return 0xffff0000;
    default:
        return 0xffu << (8 * (static_cast<unsigned>(selection) - static_cast<unsigned>(Selection::byte_0)));
    }
}

/// Whether the result has to be merged with what the destination has.
inline bool needs_merging(const Instruction &instruction) {
    return width_bits(instruction.operation->result) == 16 || instruction.sdwa;
}

/// What a lane's destination has after the result is written to a part of it.
inline std::uint32_t merged(const Instruction &instruction, const Modes &modes, std::uint32_t result,
                            std::uint32_t old) {
    if (!instruction.sdwa) {
        const bool zeroed = instruction.operation->high_half == HighHalf::zeroed_until_gfx9 &&
                            (modes.generation == Generation::gfx90a || modes.generation == Generation::gfx942);
        return (result & 0xffff) | (zeroed ? 0 : old & 0xffff0000);
    }
    if (width_bits(instruction.operation->result) == 16)
        result &= 0xffff;
    const std::uint32_t written = selected_bits(instruction.destination_selection);
    const auto shift = static_cast<unsigned>(std::countr_zero(written));
    const std::uint32_t part = (result << shift) & written;
    if (instruction.unused == Unused::preserve)
        return part | (old & ~written);
    if (instruction.unused == Unused::sign_extend && (result & ((written >> shift >> 1) + 1)))
        return part | ~(written | ((1u << shift) - 1));
    return part;
}

} // namespace isovmaf::amd
