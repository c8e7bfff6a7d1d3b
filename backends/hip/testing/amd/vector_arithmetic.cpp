// SPDX-License-Identifier: BSD-2-Clause-Patent
// Vector arithmetic: from registers and constants to the operands of an operation, and from its result to registers.
#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/register_parts.hpp"
#include "hip/testing/amd/strict_vectors.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

void read_parts(Row &row, const PartOfWord &part, bool sign_extended) {
    for (std::uint32_t &lane : row)
        lane = part.read(lane, sign_extended);
}

void change_signs(Row &row, std::uint32_t keep, std::uint32_t flip) {
    for (std::uint32_t &lane : row)
        lane = (lane & keep) ^ flip;
}

/// A scalar or constant in all lanes, or a register with the operand's modifiers. Signs lie in the last word.
void make_rows(Wave &wave, const Operand &operand, unsigned words, Row *rows) {
    for (unsigned word = 0; word < words; word++) {
        if (operand.type == Operand::Type::vector)
            rows[word] = wave.vectors[operand.index + operand.order[word]];
        else
            rows[word].fill(static_cast<std::uint32_t>(wave.lane_word(operand, operand.order[word], 0).bits));
    }
    if (operand.selection != Selection::dword)
        read_parts(*rows, part_of(operand.selection), operand.sign_extended);
    if (operand.absolute || operand.negated)
        change_signs(rows[words - 1], operand.absolute ? ~sign_bit : ~0u, operand.negated ? sign_bit : 0);
    for (unsigned word = 0; word < words; word++)
        if (operand.negative[word])
            change_signs(rows[word], ~0u, sign_bit);
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

void write_merged(Wave &wave, const Instruction &instruction) {
    Row &destination = wave.vectors[instruction.destination.index];
    const Row &result = wave.scratch[first_result];
    for_each_lane(wave.exec(), [&](unsigned lane) {
        destination[lane] = merged(instruction, wave.modes(), result[lane], destination[lane]);
    });
}

/// Runs the operation with its result in `result`. Returns the flags of the active lanes.
std::uint64_t compute(Wave &wave, const Instruction &instruction, Row *result) {
    const Operation &operation = *instruction.operation;
    WaveOperands operands;
    operands.sources.fill(wave.scratch[0].data()); // operations step through the rows that they do not read, too
    for (std::size_t i = 0; i < instruction.source_count; i++)
        operands.sources[i] = rows_of(wave, instruction.sources[i], operation.sources[i], &wave.scratch[2 * i]);
    if (operation.takes_destination)
        operands.sources[instruction.source_count] = wave.vectors[instruction.destination.index].data();
    if (operation.takes_condition)
        operands.mask_in = wave.mask_at(instruction.condition.index).bits;
    operands.result = result->data();
    operands.active = wave.active();
    operands.lanes = wave.lanes();
    operation.wave(wave.modes(), operands);
    return operands.mask_out & wave.exec();
}

} // namespace

void execute_vector(Wave &wave, const Instruction &instruction) {
    if (wave.strict())
        return execute_strict_vector(wave, instruction);
    const bool merges = needs_merging(instruction);
    Row *const result = merges ? &wave.scratch[first_result] : &wave.vectors[instruction.destination.index];
    const std::uint64_t flags = compute(wave, instruction, result);
    if (merges)
        write_merged(wave, instruction);
    write_flags(wave, instruction, {flags, 0});
}

void execute_dual(Wave &wave, const Instruction &first) {
    const Instruction &second = *(&first + 1);
    wave.next++;
    if (first.execute != execute_vector || second.execute != execute_vector)
        throw Fault("the executor does not know both halves of this instruction");
    if (wave.strict())
        return execute_strict_dual(wave, first);
    Row result;
    compute(wave, first, &result);
    execute_vector(wave, second);
    Row &destination = wave.vectors[first.destination.index];
    for_each_lane(wave.exec(), [&](unsigned lane) { destination[lane] = result[lane]; });
}

} // namespace isovmaf::amd
