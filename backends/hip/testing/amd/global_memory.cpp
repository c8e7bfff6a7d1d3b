// SPDX-License-Identifier: BSD-2-Clause-Patent
// Loads, stores and atomics on the memory of the device, by scalars and by lanes.
#include <cstring>

#include <fmt/format.h>

#include "hip/testing/amd/addresses.hpp"
#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

/// Loads and stores bytes of the memory that kernels may access, and refuses all others.
class Access {
  public:
    Access(Wave &wave, AccessKind kind) : wave_(wave), kind_(kind) {}

    /// The word's bytes from `bytes` on become 0.
    Value load(std::uint64_t address, std::size_t bytes) {
        const std::byte *const from = at(address, bytes);
        Value loaded;
        std::memcpy(&loaded.bits, from, bytes);
        if (range_->shadow)
            range_->shadow->undefined_bits(address - range_->begin, bytes, &loaded.undefined);
        return loaded;
    }

    void store(std::uint64_t address, std::size_t bytes, const Value &stored) {
        std::byte *const to = at(address, bytes);
        require_defined(stored, bytes);
        std::memcpy(to, &stored.bits, bytes);
        if (range_->shadow)
            range_->shadow->set_defined(address - range_->begin, bytes);
    }

    void add(std::uint64_t address, const Value &added) {
        __atomic_fetch_add(atomic_place<std::uint64_t>(address, added), added.bits, __ATOMIC_RELAXED);
    }

    void set_bits(std::uint64_t address, const Value &bits) {
        const auto word = static_cast<std::uint32_t>(bits.bits);
        __atomic_fetch_or(atomic_place<std::uint32_t>(address, bits), word, __ATOMIC_RELAXED);
    }

  private:
    /// Where an atomic operation changes a number.
    template <class T>
    T *atomic_place(std::uint64_t address, const Value &operand) {
        if (address % sizeof(T) != 0)
            throw Fault(fmt::format("an atomic at {:#x}, which is not aligned", address));
        std::byte *const to = at(address, sizeof(T));
        require_defined(operand, sizeof(T));
        T undefined = 0;
        if (range_->shadow)
            range_->shadow->undefined_bits(address - range_->begin, sizeof undefined, &undefined);
        (void)defined({0, undefined}, "the result of an atomic");
        return reinterpret_cast<T *>(to);
    }

    std::byte *at(std::uint64_t address, std::size_t bytes) {
        if (!range_ || !range_->contains(address, bytes))
            find(address, bytes);
        if (range_->shadow)
            watch(address, bytes);
        return reinterpret_cast<std::byte *>(address);
    }

    void find(std::uint64_t address, std::size_t bytes) {
        range_ = wave_.group().memory.find(address, bytes);
        if (!range_ || (kind_ != AccessKind::read && !range_->writable))
            throw Fault(
                fmt::format("{} {} bytes at {:#x}, which is no memory of the kernel's", verb(), bytes, address));
    }

    void watch(std::uint64_t address, std::size_t bytes) {
        const std::uint64_t offset = address - range_->begin;
        const Conflict conflict = range_->shadow->access(offset, bytes, kind_, wave_.accessor);
        if (conflict == Conflict::none)
            return;
        throw Fault(fmt::format("{}: {} {} bytes, {:#x} bytes behind the buffer's begin",
                                conflict == Conflict::in_launch ? "a race" : "no order between this and earlier work",
                                verb(), bytes, offset));
    }

    [[nodiscard]] const char *verb() const { return kind_ == AccessKind::read ? "reading" : "writing"; }

    static void require_defined(const Value &value, std::size_t bytes) {
        const std::uint64_t relevant = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
        (void)defined({0, value.undefined & relevant}, "what memory gets");
    }

    Wave &wave_;
    AccessKind kind_;
    const Range *range_ = nullptr;
};

/// A scalar load has whole words, however its address ends.
void load_scalars(Wave &wave, const Instruction &instruction) {
    const auto &[destination, base, offset, unused_3, unused_4] = instruction.sources;
    std::uint64_t address = defined(wave.scalar_value(base), "an address") +
                            static_cast<std::uint64_t>(std::int64_t{instruction.offsets[0]});
    if (offset.type == Operand::Type::constant)
        address += static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(offset.bits)});
    else
        address += defined(wave.scalar_value(offset), "an address");
    Access access(wave, AccessKind::read);
    for (unsigned word = 0; word < destination.words; word++)
        wave.set_scalar(destination.index + word, access.load((address & ~std::uint64_t{3}) + 4 * word, 4));
}

/// Loads a number and extends it to a word. Copies of an undefined sign are undefined too.
template <class T>
void load_part(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, AccessKind::read);
    const auto extended = [](std::uint64_t part) { return static_cast<std::uint32_t>(static_cast<T>(part)); };
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const Value part = access.load(lane_address(wave, instruction, address, base, lane), sizeof(T));
        wave.set_lane_word(destination.index, lane, {extended(part.bits), extended(part.undefined)});
    });
}

/// Loads a number without a sign into a half of a register, from bit `shift` on, and leaves the other half.
template <class T, unsigned shift>
void load_half(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, AccessKind::read);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const Value half = access.load(lane_address(wave, instruction, address, base, lane), sizeof(T));
        wave.set_lane_half(destination.index, lane, half, shift);
    });
}

template <unsigned words>
void load_words(Wave &wave, const Instruction &instruction) {
    const auto &[destination, address, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, AccessKind::read);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const std::uint64_t at = lane_address(wave, instruction, address, base, lane);
        std::array<Value, words> loaded; // the destination may have the address
        for (unsigned word = 0; word < words; word++)
            loaded[word] = access.load(at + 4 * word, 4);
        for (unsigned word = 0; word < words; word++)
            wave.set_lane_word(destination.index + word, lane, loaded[word]);
    });
}

/// Stores the low bits of a word, from bit `shift` on.
template <class T, unsigned shift = 0>
void store_part(Wave &wave, const Instruction &instruction) {
    const auto &[address, data, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, AccessKind::write);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const Value word = wave.lane_word(data, 0, lane);
        access.store(lane_address(wave, instruction, address, base, lane), sizeof(T),
                     {word.bits >> shift, word.undefined >> shift});
    });
}

template <unsigned words>
void store_words(Wave &wave, const Instruction &instruction) {
    const auto &[address, data, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, AccessKind::write);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const std::uint64_t at = lane_address(wave, instruction, address, base, lane);
        for (unsigned word = 0; word < words; word++)
            access.store(at + 4 * word, 4, wave.lane_word(data, word, lane));
    });
}

/// Calls `change(access, address, data, lane)` for each lane. The old value is not returned.
template <class Change>
void for_each_atomic(Wave &wave, const Instruction &instruction, const Change &change) {
    if (instruction.returns)
        throw Fault("the executor has no atomics that return the old value");
    const auto &[address, data, base, unused_3, unused_4] = instruction.sources;
    Access access(wave, AccessKind::atomic);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        change(access, lane_address(wave, instruction, address, base, lane), data, lane);
    });
}

/// Adds 64 bits.
void atomic_add(Wave &wave, const Instruction &instruction) {
    for_each_atomic(wave, instruction, [&](Access &access, std::uint64_t at, const Operand &data, unsigned lane) {
        const Value low = wave.lane_word(data, 0, lane), high = wave.lane_word(data, 1, lane);
        access.add(at, {low.bits | high.bits << 32, low.undefined | high.undefined << 32});
    });
}

/// Sets bits of a word.
void atomic_or(Wave &wave, const Instruction &instruction) {
    for_each_atomic(wave, instruction, [&](Access &access, std::uint64_t at, const Operand &data, unsigned lane) {
        access.set_bits(at, wave.lane_word(data, 0, lane));
    });
}

template <class T>
constexpr SpecialInstruction loads_part(std::string_view mnemonic) {
    return {mnemonic, load_part<T>, false, {sizeof(T)}};
}
template <class T, unsigned shift>
constexpr SpecialInstruction loads_half(std::string_view mnemonic) {
    return {mnemonic, load_half<T, shift>, false, {sizeof(T)}};
}
template <unsigned words>
constexpr SpecialInstruction loads_words(std::string_view mnemonic) {
    return {mnemonic, load_words<words>, false, {4 * words}};
}
template <class T, unsigned shift = 0>
constexpr SpecialInstruction stores_part(std::string_view mnemonic) {
    return {mnemonic, store_part<T, shift>, false, {sizeof(T)}};
}
template <unsigned words>
constexpr SpecialInstruction stores_words(std::string_view mnemonic) {
    return {mnemonic, store_words<words>, false, {4 * words}};
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
        loads_part<std::uint8_t>("global_load_ubyte"),
        loads_part<std::uint8_t>("global_load_u8"),
        loads_part<std::uint16_t>("global_load_ushort"),
        loads_part<std::uint16_t>("global_load_u16"),
        loads_part<std::int16_t>("global_load_sshort"),
        loads_part<std::int16_t>("global_load_i16"),
        loads_half<std::uint8_t, 0>("global_load_d16_u8"),
        loads_half<std::uint8_t, 16>("global_load_d16_hi_u8"),
        loads_half<std::uint16_t, 0>("global_load_d16_b16"),
        loads_half<std::uint16_t, 16>("global_load_d16_hi_b16"),
        loads_words<1>("global_load_dword"),
        loads_words<1>("global_load_b32"),
        loads_words<2>("global_load_dwordx2"),
        loads_words<2>("global_load_b64"),
        loads_words<3>("global_load_dwordx3"),
        loads_words<3>("global_load_b96"),
        loads_words<4>("global_load_dwordx4"),
        loads_words<4>("global_load_b128"),
        stores_part<std::uint8_t>("global_store_byte"),
        stores_part<std::uint8_t>("global_store_b8"),
        stores_part<std::uint16_t>("global_store_short"),
        stores_part<std::uint16_t>("global_store_b16"),
        stores_part<std::uint16_t, 16>("global_store_short_d16_hi"),
        stores_part<std::uint16_t, 16>("global_store_d16_hi_b16"),
        stores_words<1>("global_store_dword"),
        stores_words<1>("global_store_b32"),
        stores_words<2>("global_store_dwordx2"),
        stores_words<2>("global_store_b64"),
        stores_words<4>("global_store_dwordx4"),
        stores_words<4>("global_store_b128"),
        {"global_atomic_add_x2", atomic_add, false, {sizeof(std::uint64_t)}},
        {"global_atomic_add_u64", atomic_add, false, {sizeof(std::uint64_t)}},
        {"global_atomic_or", atomic_or, false, {sizeof(std::uint32_t)}},
        {"global_atomic_or_b32", atomic_or, false, {sizeof(std::uint32_t)}},
    };
    return table;
}

} // namespace isovmaf::amd
