// SPDX-License-Identifier: BSD-2-Clause-Patent
// Instructions in which a lane reads another lane's register or its own number, and moves of whole pairs.
#include <algorithm>

#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

/// The lowest active lane, or lane 0 if none is active.
void read_first_lane(Wave &wave, const Instruction &instruction) {
    const std::uint64_t exec = wave.exec();
    const auto lane = exec ? static_cast<unsigned>(std::countr_zero(exec)) : 0;
    wave.set_scalar(instruction.sources[0].index, wave.lane_word(instruction.sources[1], 0, lane));
}

/// Any lane, whether it is active or not.
void read_lane(Wave &wave, const Instruction &instruction) {
    const std::uint64_t number = defined(wave.scalar_value(instruction.sources[2]), "the number of a lane");
    const auto lane = static_cast<unsigned>(number % wave.lanes());
    wave.set_scalar(instruction.sources[0].index, wave.lane_word(instruction.sources[1], 0, lane));
}

/// Each lane reads the lane that its address names, in bytes of a row of words. An inactive lane gives 0.
void permute_backwards(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, data, unused_3, unused_4] = instruction.sources;
    const std::uint64_t exec = wave.exec();
    std::array<Value, 64> result;
    for_each_lane(exec, [&](unsigned lane) {
        const std::uint64_t bytes = defined(wave.lane_word(address, 0, lane), "the number of a lane") +
                                    static_cast<std::uint64_t>(instruction.offsets[0]);
        const auto from = static_cast<unsigned>(bytes / 4 % wave.lanes());
        result[lane] = exec >> from & 1 ? wave.lane_word(data, 0, from) : Value{};
    });
    for_each_lane(exec, [&](unsigned lane) { wave.set_lane_word(destination.index, lane, result[lane]); });
}

/// Adds the number of bits of a mask that belong to lower lanes, in the words of lanes from `first` on.
template <unsigned first>
void count_lower_lanes(Wave &wave, const Instruction &instruction) {
    const auto &[destination, mask, added, unused_3, unused_4] = instruction.sources;
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const unsigned below = lane < first ? 0 : std::min(lane - first, 32u);
        const std::uint64_t lower = (std::uint64_t{1} << below) - 1;
        const Value counted = wave.lane_word(mask, 0, lane), addend = wave.lane_word(added, 0, lane);
        const auto count = static_cast<unsigned>(std::popcount(counted.bits & lower));
        const bool undefined = (counted.undefined & lower) || addend.undefined;
        wave.set_lane_word(destination.index, lane, {addend.bits + count, undefined ? ~0u : 0});
    });
}

/// One half of each source makes a pair.
void move_pair(Wave &wave, const Instruction &instruction) {
    const auto &[destination, low, high, unused_3, unused_4] = instruction.sources;
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const Value words[] = {wave.lane_word(low, instruction.op_sel[0], lane),
                               wave.lane_word(high, instruction.op_sel[1], lane)};
        wave.set_lane_word(destination.index, lane, words[0]);
        wave.set_lane_word(destination.index + 1u, lane, words[1]);
    });
}

} // namespace

std::span<const SpecialInstruction> lane_instructions() {
    static constexpr SpecialInstruction table[] = {
        {"v_readfirstlane_b32", read_first_lane},      {"v_readlane_b32", read_lane},
        {"ds_bpermute_b32", permute_backwards},        {"v_mbcnt_lo_u32_b32", count_lower_lanes<0>},
        {"v_mbcnt_hi_u32_b32", count_lower_lanes<32>}, {"v_pk_mov_b32", move_pair},
    };
    return table;
}

} // namespace isovmaf::amd
