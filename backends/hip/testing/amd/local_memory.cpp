// SPDX-License-Identifier: BSD-2-Clause-Patent
// Loads and stores on the memory of a work group (LDS).
#include <cstring>

#include <fmt/format.h>

#include "hip/testing/amd/addresses.hpp"
#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

/// Where a lane's access begins in LDS, which it must not leave.
template <unsigned bytes>
std::uint32_t local_place(Wave &wave, const Instruction &instruction, const Operand &address, unsigned lane,
                          std::size_t part, std::uint32_t scale, AccessKind kind) {
    Group &group = wave.group();
    const std::uint32_t at = local_address(wave, instruction, address, lane, part, scale);
    if (std::uint64_t{at} + bytes > group.lds.size())
        throw Fault(fmt::format("{} bytes at {:#x} of the group's {:#x} bytes of LDS", bytes, at, group.lds.size()));
    if (group.lds_shadow && group.lds_shadow->access(at, bytes, kind, wave.accessor) != Conflict::none)
        throw Fault(fmt::format("a race between waves of a group: {} bytes at {:#x} of LDS", bytes, at));
    return at;
}

/// `count` parts of `words` words each, at one offset each.
template <unsigned words, unsigned count = 1, unsigned scale = 1>
void load_local(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, unused_2, unused_3, unused_4] = instruction.sources;
    const Group &group = wave.group();
    for_each_lane(wave.exec(), [&](unsigned lane) {
        std::array<std::uint32_t, std::size_t{words} * count> bits, undefined{};
        for (unsigned part = 0; part < count; part++) {
            const std::uint32_t at =
                local_place<4 * words>(wave, instruction, address, lane, part, scale, AccessKind::read);
            std::memcpy(&bits[std::size_t{part} * words], group.lds.data() + at, 4 * words);
            if (group.lds_shadow)
                group.lds_shadow->undefined_bits(at, 4 * words, &undefined[std::size_t{part} * words]);
        }
        for (unsigned word = 0; word < bits.size(); word++)
            wave.set_lane_word(destination.index + word, lane, {bits[word], undefined[word]});
    });
}

template <unsigned words, unsigned count = 1, unsigned scale = 1>
void store_local(Wave &wave, const Instruction &instruction) {
    const Operand &address = instruction.sources[0];
    Group &group = wave.group();
    for_each_lane(wave.exec(), [&](unsigned lane) {
        for (unsigned part = 0; part < count; part++) {
            std::array<std::uint32_t, words> bits, undefined;
            for (unsigned word = 0; word < words; word++) {
                const Value value = wave.lane_word(instruction.sources[1 + part], word, lane);
                bits[word] = static_cast<std::uint32_t>(value.bits);
                undefined[word] = static_cast<std::uint32_t>(value.undefined);
            }
            const std::uint32_t at =
                local_place<4 * words>(wave, instruction, address, lane, part, scale, AccessKind::write);
            std::memcpy(group.lds.data() + at, bits.data(), sizeof bits);
            if (group.lds_shadow)
                group.lds_shadow->set_undefined_bits(at, sizeof undefined, undefined.data());
        }
    });
}

/// A number that a lane loads, extended to a word: with its sign if its type has one.
template <class T>
Value local_number(Wave &wave, const Instruction &instruction, const Operand &address, unsigned lane) {
    const Group &group = wave.group();
    T bits, undefined = 0;
    const std::uint32_t at = local_place<sizeof bits>(wave, instruction, address, lane, 0, 1, AccessKind::read);
    std::memcpy(&bits, group.lds.data() + at, sizeof bits);
    if (group.lds_shadow)
        group.lds_shadow->undefined_bits(at, sizeof undefined, &undefined);
    const auto word = static_cast<std::uint32_t>(bits), undefined_word = static_cast<std::uint32_t>(undefined);
    return {word, undefined_word};
}

template <class T>
void load_local_part(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, unused_2, unused_3, unused_4] = instruction.sources;
    for_each_lane(wave.exec(), [&](unsigned lane) {
        wave.set_lane_word(destination.index, lane, local_number<T>(wave, instruction, address, lane));
    });
}

/// Loads a number without a sign into a half of a register, from bit `shift` on, and leaves the other half.
template <class T, unsigned shift>
void load_local_half(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, unused_2, unused_3, unused_4] = instruction.sources;
    for_each_lane(wave.exec(), [&](unsigned lane) {
        wave.set_lane_half(destination.index, lane, local_number<T>(wave, instruction, address, lane), shift);
    });
}

/// Stores the low bits of a word, from bit `shift` on.
template <class T, unsigned shift>
void store_local_part(Wave &wave, const Instruction &instruction) {
    const auto &[address, data, unused_2, unused_3, unused_4] = instruction.sources;
    Group &group = wave.group();
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const Value word = wave.lane_word(data, 0, lane);
        const auto bits = static_cast<T>(word.bits >> shift);
        const auto undefined = static_cast<T>(word.undefined >> shift);
        const std::uint32_t at = local_place<sizeof bits>(wave, instruction, address, lane, 0, 1, AccessKind::write);
        std::memcpy(group.lds.data() + at, &bits, sizeof bits);
        if (group.lds_shadow)
            group.lds_shadow->set_undefined_bits(at, sizeof undefined, &undefined);
    });
}

/// Changes a word to what `change` makes of it and of the lane's data. The old value is not returned.
template <std::uint32_t (*change)(std::uint32_t, std::uint32_t)>
void change_local(Wave &wave, const Instruction &instruction) {
    const auto &[address, data, unused_2, unused_3, unused_4] = instruction.sources;
    Group &group = wave.group();
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const auto operand = static_cast<std::uint32_t>(defined(wave.lane_word(data, 0, lane), "what an atomic adds"));
        const std::uint32_t at =
            local_place<sizeof operand>(wave, instruction, address, lane, 0, 1, AccessKind::atomic);
        if (at % sizeof operand != 0)
            throw Fault(fmt::format("an atomic at {:#x} of LDS, which is not aligned", at));
        std::uint32_t word, undefined = 0;
        if (group.lds_shadow)
            group.lds_shadow->undefined_bits(at, sizeof undefined, &undefined);
        (void)defined({0, undefined}, "the result of an atomic");
        std::memcpy(&word, group.lds.data() + at, sizeof word);
        word = change(word, operand);
        std::memcpy(group.lds.data() + at, &word, sizeof word);
    });
}
std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return a + b; }
std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
std::uint32_t all_bits(std::uint32_t a, std::uint32_t b) { return a | b; }

template <unsigned words, unsigned count = 1, unsigned scale = 1>
constexpr SpecialInstruction loads(std::string_view mnemonic) {
    return {mnemonic, load_local<words, count, scale>, false, {4 * words, count, scale}};
}
template <unsigned words, unsigned count = 1, unsigned scale = 1>
constexpr SpecialInstruction stores(std::string_view mnemonic) {
    return {mnemonic, store_local<words, count, scale>, false, {4 * words, count, scale}};
}

template <class T>
constexpr SpecialInstruction loads_part(std::string_view mnemonic) {
    return {mnemonic, load_local_part<T>, false, {sizeof(T)}};
}
template <class T, unsigned shift>
constexpr SpecialInstruction loads_half(std::string_view mnemonic) {
    return {mnemonic, load_local_half<T, shift>, false, {sizeof(T)}};
}
template <class T, unsigned shift = 0>
constexpr SpecialInstruction stores_part(std::string_view mnemonic) {
    return {mnemonic, store_local_part<T, shift>, false, {sizeof(T)}};
}

template <std::uint32_t (*change)(std::uint32_t, std::uint32_t)>
constexpr SpecialInstruction changes(std::string_view mnemonic) {
    return {mnemonic, change_local<change>, false, {sizeof(std::uint32_t)}};
}

} // namespace

std::span<const SpecialInstruction> local_memory_instructions() {
    static constexpr SpecialInstruction table[] = {
        loads<1>("ds_read_b32"),
        loads<1>("ds_load_b32"),
        loads<2>("ds_read_b64"),
        loads<2>("ds_load_b64"),
        loads<3>("ds_read_b96"),
        loads<3>("ds_load_b96"),
        loads<4>("ds_read_b128"),
        loads<4>("ds_load_b128"),
        loads<1, 2, 4>("ds_read2_b32"),
        loads<1, 2, 4>("ds_load_2addr_b32"),
        loads<2, 2, 8>("ds_read2_b64"),
        loads<2, 2, 8>("ds_load_2addr_b64"),
        loads<1, 2, 64 * 4>("ds_read2st64_b32"),
        loads<1, 2, 64 * 4>("ds_load_2addr_stride64_b32"),
        loads_part<std::uint8_t>("ds_read_u8"),
        loads_part<std::uint8_t>("ds_load_u8"),
        loads_part<std::uint16_t>("ds_read_u16"),
        loads_part<std::uint16_t>("ds_load_u16"),
        loads_part<std::int16_t>("ds_read_i16"),
        loads_part<std::int16_t>("ds_load_i16"),
        loads_half<std::uint8_t, 0>("ds_load_u8_d16"),
        loads_half<std::uint8_t, 16>("ds_load_u8_d16_hi"),
        loads_half<std::uint16_t, 0>("ds_load_u16_d16"),
        loads_half<std::uint16_t, 16>("ds_load_u16_d16_hi"),
        stores_part<std::uint8_t>("ds_write_b8"),
        stores_part<std::uint8_t>("ds_store_b8"),
        stores_part<std::uint16_t>("ds_write_b16"),
        stores_part<std::uint16_t>("ds_store_b16"),
        stores_part<std::uint16_t, 16>("ds_write_b16_d16_hi"),
        stores_part<std::uint16_t, 16>("ds_store_b16_d16_hi"),
        stores<1>("ds_write_b32"),
        stores<1>("ds_store_b32"),
        stores<2>("ds_write_b64"),
        stores<2>("ds_store_b64"),
        stores<4>("ds_write_b128"),
        stores<4>("ds_store_b128"),
        stores<1, 2, 4>("ds_write2_b32"),
        stores<1, 2, 4>("ds_store_2addr_b32"),
        stores<2, 2, 8>("ds_write2_b64"),
        stores<2, 2, 8>("ds_store_2addr_b64"),
        stores<1, 2, 64 * 4>("ds_write2st64_b32"),
        stores<1, 2, 64 * 4>("ds_store_2addr_stride64_b32"),
        stores<2, 2, 64 * 8>("ds_write2st64_b64"),
        stores<2, 2, 64 * 8>("ds_store_2addr_stride64_b64"),
        changes<sum>("ds_add_u32"),
        changes<least>("ds_min_u32"),
        changes<all_bits>("ds_or_b32"),
    };
    return table;
}

} // namespace isovmaf::amd
