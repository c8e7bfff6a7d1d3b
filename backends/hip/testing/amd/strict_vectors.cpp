// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/strict_vectors.hpp"

#include <array>

#include "hip/testing/amd/register_parts.hpp"

namespace isovmaf::amd {

namespace {

/// Word `number` of a source with the operand's modifiers. Signs lie in the last word.
std::uint32_t modified(const Operand &operand, std::uint32_t word, unsigned number, unsigned words, bool is_mark) {
    const bool last = number + 1 == words;
    word = part_of(operand.selection).read(word, operand.sign_extended);
    if (last && operand.absolute)
        word &= ~sign_bit;
    if (((last && operand.negated) || operand.negative[number]) && !is_mark)
        word ^= sign_bit;
    return word;
}

Value source_of_lane(const Wave &wave, const Operand &operand, Kind kind, unsigned lane) {
    const unsigned words = width_bits(kind) == 64 ? 2 : 1;
    Value source;
    for (unsigned word = 0; word < words; word++) {
        const Value part = wave.lane_word(operand, operand.order[word], lane);
        const auto bits = modified(operand, static_cast<std::uint32_t>(part.bits), word, words, false);
        const auto marks = modified(operand, static_cast<std::uint32_t>(part.undefined), word, words, true);
        source.bits |= std::uint64_t{bits} << (32 * word);
        source.undefined |= std::uint64_t{marks} << (32 * word);
    }
    if (const unsigned width = width_bits(kind); width < 32) {
        source.bits &= (1u << width) - 1;
        source.undefined &= (1u << width) - 1;
    }
    return source;
}

Outcome compute_lane(const Wave &wave, const Instruction &instruction, unsigned lane) {
    const Operation &operation = *instruction.operation;
    std::array<Value, 6> sources;
    std::size_t count = 0;
    for (; count < instruction.source_count; count++)
        sources[count] = source_of_lane(wave, instruction.sources[count], operation.sources[count], lane);
    if (operation.takes_destination)
        sources[count++] = source_of_lane(wave, instruction.destination, operation.result, lane);
    if (operation.takes_condition) {
        const Value mask = wave.mask_at(instruction.condition.index);
        sources[count++] = {mask.bits >> lane & 1, mask.undefined >> lane & 1};
    }
    return operation.function(wave.modes(), {sources.data(), count});
}

using Outcomes = std::array<Outcome, 64>;

Outcomes compute_lanes(const Wave &wave, const Instruction &instruction) {
    Outcomes outcomes;
    for_each_lane(wave.exec(), [&](unsigned lane) { outcomes[lane] = compute_lane(wave, instruction, lane); });
    return outcomes;
}

void write_lane(Wave &wave, const Instruction &instruction, unsigned lane, const Value &result) {
    const Operand &destination = instruction.destination;
    if (!needs_merging(instruction)) {
        for (unsigned word = 0; word < width_bits(instruction.operation->result) / 32; word++)
            wave.set_lane_word(destination.index + word, lane,
                               {result.bits >> (32 * word), result.undefined >> (32 * word)});
        return;
    }
    const Value old = wave.lane_word(destination, 0, lane);
    const auto merge = [&](std::uint64_t part, std::uint64_t whole) -> std::uint64_t {
        return merged(instruction, wave.modes(), static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(whole));
    };
    wave.set_lane_word(destination.index, lane, {merge(result.bits, old.bits), merge(result.undefined, old.undefined)});
}

void write_lanes(Wave &wave, const Instruction &instruction, const Outcomes &outcomes) {
    const std::uint64_t exec = wave.exec();
    Value flags;
    for_each_lane(exec, [&](unsigned lane) {
        if (instruction.operation->result != Kind::none)
            write_lane(wave, instruction, lane, outcomes[lane].result);
        flags.bits |= (outcomes[lane].flag.bits & 1) << lane;
        flags.undefined |= (outcomes[lane].flag.undefined & 1) << lane;
    });
    write_flags(wave, instruction, flags);
}

} // namespace

void execute_strict_vector(Wave &wave, const Instruction &instruction) {
    write_lanes(wave, instruction, compute_lanes(wave, instruction));
}

void execute_strict_dual(Wave &wave, const Instruction &first) {
    const Instruction &second = *(&first + 1);
    const Outcomes outcomes = compute_lanes(wave, first);
    execute_strict_vector(wave, second);
    write_lanes(wave, first, outcomes);
}

} // namespace isovmaf::amd
