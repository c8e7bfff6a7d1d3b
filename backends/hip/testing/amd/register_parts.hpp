// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "hip/testing/amd/instruction.hpp"

/// Parts of registers, which SDWA instructions and results of 16 bits read and write. The same functions move bits and
/// marks of undefined bits.
namespace isovmaf::amd {

constexpr std::uint32_t sign_bit = 0x80000000;

/// The bits of a register that a selection names.
struct PartOfWord {
    unsigned shift = 0, bits = 32;

    [[nodiscard]] std::uint32_t mask() const { return (~0u >> (32 - bits)) << shift; }

    [[nodiscard]] std::uint32_t read(std::uint32_t word, bool sign_extended) const {
        const std::uint32_t high = word << (32 - shift - bits);
        return sign_extended ? static_cast<std::uint32_t>(static_cast<std::int32_t>(high) >> (32 - bits))
                             : high >> (32 - bits);
    }
};

inline PartOfWord part_of(Selection selection) {
    switch (selection) {
    case Selection::dword:
        return {};
    case Selection::word_0:
        return {0, 16};
    case Selection::word_1:
        return {16, 16};
    default:
        return {8 * (static_cast<unsigned>(selection) - static_cast<unsigned>(Selection::byte_0)), 8};
    }
}

/// Whether the result has to be merged with what the destination has.
inline bool needs_merging(const Instruction &instruction) {
    return width_bits(instruction.operation->result) == 16 ||
           (instruction.sdwa && instruction.destination_selection != Selection::dword);
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
    const PartOfWord place = part_of(instruction.destination_selection);
    const std::uint32_t written = place.mask(), part = (result << place.shift) & written;
    if (instruction.unused == Unused::preserve)
        return part | (old & ~written);
    if (instruction.unused == Unused::sign_extend && (result >> (place.bits - 1) & 1))
        return part | ~(written | ((1u << place.shift) - 1));
    return part;
}

} // namespace isovmaf::amd
