// SPDX-License-Identifier: BSD-2-Clause-Patent
// Loads and stores on the memory of a work group (LDS).
#include <cstring>

#include <fmt/format.h>

#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

/// The bytes of a lane's access. `scale` turns an offset of the instruction into bytes. The sum wraps.
template <unsigned words>
std::byte *local_at(Wave &wave, const Instruction &instruction, std::uint32_t address, std::size_t place,
                    std::uint32_t scale) {
    std::vector<std::byte> &lds = wave.group().lds;
    const std::uint32_t at = address + static_cast<std::uint32_t>(instruction.offsets[place]) * scale;
    if (std::uint64_t{at} + 4 * words > lds.size())
        throw Fault(fmt::format("{} bytes at {:#x} of the group's {:#x} bytes of LDS", 4 * words, at, lds.size()));
    return lds.data() + at;
}

/// `count` parts of `words` words each, at one offset each.
template <unsigned words, unsigned count = 1, unsigned scale = 1>
void load_local(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, unused_2, unused_3, unused_4] = instruction.sources;
    for_each_lane(wave.exec(), [&](unsigned lane) {
        std::array<std::uint32_t, std::size_t{words} * count> loaded;
        const std::uint32_t begin = wave.vectors[address.index][lane];
        for (unsigned part = 0; part < count; part++)
            std::memcpy(&loaded[std::size_t{part} * words], local_at<words>(wave, instruction, begin, part, scale),
                        4 * words);
        for (unsigned word = 0; word < loaded.size(); word++)
            wave.vectors[destination.index + word][lane] = loaded[word];
    });
}

template <unsigned words, unsigned count = 1, unsigned scale = 1>
void store_local(Wave &wave, const Instruction &instruction) {
    const Operand &address = instruction.sources[0];
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const std::uint32_t begin = wave.vectors[address.index][lane];
        for (unsigned part = 0; part < count; part++) {
            std::array<std::uint32_t, words> stored;
            for (unsigned word = 0; word < words; word++)
                stored[word] = wave.lane_word(instruction.sources[1 + part], word, lane);
            std::memcpy(local_at<words>(wave, instruction, begin, part, scale), stored.data(), sizeof stored);
        }
    });
}

} // namespace

std::span<const SpecialInstruction> local_memory_instructions() {
    static constexpr SpecialInstruction table[] = {
        {"ds_read_b32", load_local<1>},
        {"ds_load_b32", load_local<1>},
        {"ds_read_b64", load_local<2>},
        {"ds_load_b64", load_local<2>},
        {"ds_read_b128", load_local<4>},
        {"ds_load_b128", load_local<4>},
        {"ds_read2_b32", load_local<1, 2, 4>},
        {"ds_load_2addr_b32", load_local<1, 2, 4>},
        {"ds_read2_b64", load_local<2, 2, 8>},
        {"ds_load_2addr_b64", load_local<2, 2, 8>},
        {"ds_read2st64_b32", load_local<1, 2, 64 * 4>},
        {"ds_load_2addr_stride64_b32", load_local<1, 2, 64 * 4>},
        {"ds_write_b32", store_local<1>},
        {"ds_store_b32", store_local<1>},
        {"ds_write_b64", store_local<2>},
        {"ds_store_b64", store_local<2>},
        {"ds_write_b128", store_local<4>},
        {"ds_store_b128", store_local<4>},
        {"ds_write2_b32", store_local<1, 2, 4>},
        {"ds_store_2addr_b32", store_local<1, 2, 4>},
        {"ds_write2st64_b32", store_local<1, 2, 64 * 4>},
        {"ds_store_2addr_stride64_b32", store_local<1, 2, 64 * 4>},
        {"ds_write2st64_b64", store_local<2, 2, 64 * 8>},
        {"ds_store_2addr_stride64_b64", store_local<2, 2, 64 * 8>},
    };
    return table;
}

} // namespace isovmaf::amd
