// SPDX-License-Identifier: BSD-2-Clause-Patent
// Vector arithmetic: from registers and constants to the operands of an operation, and from its result to registers.
#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

std::uint32_t selected(std::uint32_t word, Selection selection, bool sign_extended) {
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
std::uint32_t selected_bits(Selection selection) {
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

/// A scalar or constant in all lanes, or a register with the operand's modifiers. Signs lie in the last word.
void make_rows(Wave &wave, const Operand &operand, unsigned words, Row *rows) {
    for (unsigned word = 0; word < words; word++) {
        if (operand.type == Operand::Type::vector)
            rows[word] = wave.vectors[operand.index + word];
        else
            rows[word].fill(wave.lane_word(operand, word, 0));
    }
    if (operand.selection != Selection::dword)
        for (std::uint32_t &lane : *rows)
            lane = selected(lane, operand.selection, operand.sign_extended);
    if (operand.absolute || operand.negated) {
        const std::uint32_t keep = operand.absolute ? 0x7fffffff : ~0u, flip = operand.negated ? 0x80000000 : 0;
        for (std::uint32_t &lane : rows[words - 1])
            lane = (lane & keep) ^ flip;
    }
}

/// The row or the two rows of a source. Rows that have to be made lie at `made`.
const std::uint32_t *rows_of(Wave &wave, const Operand &operand, Kind kind, Row *made) {
    if (operand.type == Operand::Type::vector && !operand.modified())
        return wave.vectors[operand.index].data();
    make_rows(wave, operand, width_bits(kind) == 64 ? 2 : 1, made);
    return made->data();
}

/// The rows of `Wave::scratch` that a result goes to before it is merged with the destination.
constexpr std::size_t first_result = 8;

/// Whether the result has to be merged with what the destination has.
bool needs_merging(const Instruction &instruction) {
    return width_bits(instruction.operation->result) == 16 || instruction.sdwa;
}

/// What a lane's destination has after the result is written to a part of it.
std::uint32_t merged(const Instruction &instruction, const Modes &modes, std::uint32_t result, std::uint32_t old) {
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

void write_merged(Wave &wave, const Instruction &instruction) {
    Row &destination = wave.vectors[instruction.destination.index];
    const Row &result = wave.scratch[first_result];
    for_each_lane(wave.exec(), [&](unsigned lane) {
        destination[lane] = merged(instruction, wave.modes(), result[lane], destination[lane]);
    });
}

void write_flags(Wave &wave, const Instruction &instruction, std::uint64_t flags) {
    if (instruction.operation->writes_exec)
        wave.set_mask(scalar::exec, flags);
    else if (instruction.operation->writes_flag)
        wave.set_mask(instruction.mask.index, flags);
}

/// Runs the operation with its result in `result`. Returns the flags of the active lanes.
std::uint64_t compute(Wave &wave, const Instruction &instruction, Row *result) {
    const Operation &operation = *instruction.operation;
    WaveOperands operands;
    for (std::size_t i = 0; i < instruction.source_count; i++)
        operands.sources[i] = rows_of(wave, instruction.sources[i], operation.sources[i], &wave.scratch[2 * i]);
    if (operation.takes_destination)
        operands.sources[instruction.source_count] = wave.vectors[instruction.destination.index].data();
    if (operation.takes_condition)
        operands.mask_in = wave.mask_at(instruction.condition.index);
    operands.result = result->data();
    operands.active = wave.active();
    operands.lanes = wave.lanes();
    operation.wave(wave.modes(), operands);
    return operands.mask_out & wave.exec();
}

} // namespace

void execute_vector(Wave &wave, const Instruction &instruction) {
    const bool merges = needs_merging(instruction);
    Row *const result = merges ? &wave.scratch[first_result] : &wave.vectors[instruction.destination.index];
    const std::uint64_t flags = compute(wave, instruction, result);
    if (merges)
        write_merged(wave, instruction);
    write_flags(wave, instruction, flags);
}

void execute_dual(Wave &wave, const Instruction &first) {
    const Instruction &second = *(&first + 1);
    wave.next++;
    if (first.execute != execute_vector || second.execute != execute_vector)
        throw Fault("the executor does not know both halves of this instruction");
    Row result;
    compute(wave, first, &result);
    execute_vector(wave, second);
    Row &destination = wave.vectors[first.destination.index];
    for_each_lane(wave.exec(), [&](unsigned lane) { destination[lane] = result[lane]; });
}

} // namespace isovmaf::amd
