// SPDX-License-Identifier: BSD-2-Clause-Patent
// Loads, stores and atomics on the memory of the device, by scalars and by lanes.
#include <cstring>

#include <fmt/format.h>

#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

/// Turns addresses into pointers, and refuses those outside the memory that kernels may access.
class Access {
  public:
    Access(Wave &wave, bool writes) : memory_(wave.group().memory), writes_(writes) {}

    std::byte *at(std::uint64_t address, std::size_t bytes) {
        if (!range_ || !range_->contains(address, bytes))
            find(address, bytes);
        return reinterpret_cast<std::byte *>(address);
    }

  private:
    void find(std::uint64_t address, std::size_t bytes) {
        range_ = memory_.find(address, bytes);
        if (!range_ || (writes_ && !range_->writable))
            throw Fault(fmt::format("{} {} bytes at {:#x}, which is no memory of the kernel's",
                                    writes_ ? "writing" : "reading", bytes, address));
    }

    const Memory &memory_;
    const Range *range_ = nullptr;
    bool writes_;
};

/// A scalar load has whole words, however its address ends.
void load_scalars(Wave &wave, const Instruction &instruction) {
    const auto &[destination, base, offset, unused_3, unused_4] = instruction.sources;
    std::uint64_t address = wave.scalar_bits(base) + static_cast<std::uint64_t>(std::int64_t{instruction.offsets[0]});
    if (offset.type == Operand::Type::constant)
        address += static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(offset.bits)});
    else
        address += wave.scalar_bits(offset);
    const std::byte *const from = Access(wave, false).at(address & ~std::uint64_t{3}, 4u * destination.words);
    for (unsigned word = 0; word < destination.words; word++) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, from + std::size_t{4} * word, sizeof bits);
        wave.write_scalar(destination.index + word, bits);
    }
}

/// The address of a lane: a pair of registers, or a pair of scalars and an unsigned offset.
std::uint64_t lane_address(const Wave &wave, const Instruction &instruction, const Operand &address,
                           const Operand &base, unsigned lane) {
    const std::uint64_t low = wave.vectors[address.index][lane];
    const auto offset = static_cast<std::uint64_t>(std::int64_t{instruction.offsets[0]});
    if (base.type == Operand::Type::none)
        return (low | std::uint64_t{wave.vectors[address.index + 1u][lane]} << 32) + offset;
    return wave.scalar_bits(base) + low + offset;
}

/// Loads a number and extends it to a word.
template <class T>
void load_part(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, false);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        T part;
        std::memcpy(&part, access.at(lane_address(wave, instruction, address, base, lane), sizeof part), sizeof part);
        wave.vectors[destination.index][lane] = static_cast<std::uint32_t>(part);
    });
}

template <unsigned words>
void load_words(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, false);
    Row *const rows = &wave.vectors[destination.index];
    for_each_lane(wave.exec(), [&](unsigned lane) {
        std::array<std::uint32_t, words> loaded;
        std::memcpy(loaded.data(), access.at(lane_address(wave, instruction, address, base, lane), sizeof loaded),
                    sizeof loaded);
        for (unsigned word = 0; word < words; word++)
            rows[word][lane] = loaded[word];
    });
}

/// Stores the low bits of a word, from bit `shift` on.
template <class T, unsigned shift = 0>
void store_part(Wave &wave, const Instruction &instruction) {
    const auto &[address, data, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, true);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const auto part = static_cast<T>(wave.lane_word(data, 0, lane) >> shift);
        std::memcpy(access.at(lane_address(wave, instruction, address, base, lane), sizeof part), &part, sizeof part);
    });
}

template <unsigned words>
void store_words(Wave &wave, const Instruction &instruction) {
    const auto &[address, data, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, true);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        std::array<std::uint32_t, words> stored;
        for (unsigned word = 0; word < words; word++)
            stored[word] = wave.lane_word(data, word, lane);
        std::memcpy(access.at(lane_address(wave, instruction, address, base, lane), sizeof stored), stored.data(),
                    sizeof stored);
    });
}

/// Adds 64 bits. The old value is not returned.
void atomic_add(Wave &wave, const Instruction &instruction) {
    if (instruction.returns)
        throw Fault("the executor has no atomics that return the old value");
    const auto &[address, data, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, true);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const std::uint64_t at = lane_address(wave, instruction, address, base, lane);
        if (at % sizeof(std::uint64_t) != 0)
            throw Fault(fmt::format("an atomic at {:#x}, which is not aligned", at));
        const std::uint64_t added = wave.lane_word(data, 0, lane) | std::uint64_t{wave.lane_word(data, 1, lane)} << 32;
        __atomic_fetch_add(reinterpret_cast<std::uint64_t *>(access.at(at, sizeof added)), added, __ATOMIC_RELAXED);
    });
}

} // namespace

std::span<const SpecialInstruction> scalar_memory_instructions() {
    static constexpr SpecialInstruction table[] = {
        {"s_load_dword", load_scalars},   {"s_load_dwordx2", load_scalars},  {"s_load_dwordx4", load_scalars},
        {"s_load_dwordx8", load_scalars}, {"s_load_dwordx16", load_scalars}, {"s_load_b32", load_scalars},
        {"s_load_b64", load_scalars},     {"s_load_b96", load_scalars},      {"s_load_b128", load_scalars},
        {"s_load_b256", load_scalars},    {"s_load_b512", load_scalars},
    };
    return table;
}

std::span<const SpecialInstruction> global_memory_instructions() {
    static constexpr SpecialInstruction table[] = {
        {"global_load_ubyte", load_part<std::uint8_t>},
        {"global_load_u8", load_part<std::uint8_t>},
        {"global_load_ushort", load_part<std::uint16_t>},
        {"global_load_u16", load_part<std::uint16_t>},
        {"global_load_sshort", load_part<std::int16_t>},
        {"global_load_i16", load_part<std::int16_t>},
        {"global_load_dword", load_words<1>},
        {"global_load_b32", load_words<1>},
        {"global_load_dwordx2", load_words<2>},
        {"global_load_b64", load_words<2>},
        {"global_load_dwordx3", load_words<3>},
        {"global_load_b96", load_words<3>},
        {"global_load_dwordx4", load_words<4>},
        {"global_load_b128", load_words<4>},
        {"global_store_byte", store_part<std::uint8_t>},
        {"global_store_b8", store_part<std::uint8_t>},
        {"global_store_short", store_part<std::uint16_t>},
        {"global_store_b16", store_part<std::uint16_t>},
        {"global_store_short_d16_hi", store_part<std::uint16_t, 16>},
        {"global_store_d16_hi_b16", store_part<std::uint16_t, 16>},
        {"global_store_dword", store_words<1>},
        {"global_store_b32", store_words<1>},
        {"global_store_dwordx2", store_words<2>},
        {"global_store_b64", store_words<2>},
        {"global_store_dwordx4", store_words<4>},
        {"global_store_b128", store_words<4>},
        {"global_atomic_add_x2", atomic_add},
        {"global_atomic_add_u64", atomic_add},
    };
    return table;
}

} // namespace isovmaf::amd
