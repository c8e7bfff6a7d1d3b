// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hip/testing/amd/instruction.hpp"
#include "hip/testing/amd/memory.hpp"
#include "hip/testing/amd/observer.hpp"
#include "hip/testing/amd/program.hpp"
#include "hip/testing/amd/waits.hpp"

namespace isovmaf::amd {

/// What ends the execution of a kernel: the text names the mistake.
class Fault : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One register of all lanes.
using Row = std::array<std::uint32_t, 64>;

constexpr unsigned vector_register_count = 256;

/// What the waves of a work group share.
struct Group {
    const Program &program;
    const Memory &memory;
    std::vector<std::byte> lds;
    std::unique_ptr<Shadow> lds_shadow = {}; ///< null: accesses are not watched
    Observer *observer = nullptr;            ///< null: nobody looks
};

enum class WaveState : std::uint8_t { running, at_barrier, ended };

/// The registers of a wave, and where it is in its program.
class Wave {
  public:
    /// A `strict` wave keeps account of undefined bits, and ends with a Fault where they have an effect.
    void start(Group &group, const Kernel &kernel, const Modes &modes, bool strict);

    [[nodiscard]] bool strict() const { return strict_; }

    [[nodiscard]] Group &group() { return *group_; }
    [[nodiscard]] const Modes &modes() const { return modes_; }
    [[nodiscard]] unsigned lanes() const { return lanes_; }

    /// Runs until the wave waits at a barrier or ends.
    void run();

    WaveState state = WaveState::ended;
    std::uint32_t next = 0; ///< the index of the instruction that is executed next
    Value scc;              ///< one bit
    Accessor accessor;      ///< counts the barriers that the wave has passed

    std::array<Row, vector_register_count> vectors;
    std::array<Row, vector_register_count> undefined_vectors{}; ///< stays 0 unless the wave is strict
    std::array<Row, 10> scratch; ///< sources that are made for one instruction, two rows each, and its result

    [[nodiscard]] std::uint64_t exec() const {
        return lanes_ == 64 ? scalars_[scalar::exec] | std::uint64_t{scalars_[scalar::exec + 1]} << 32
                            : scalars_[scalar::exec];
    }

    /// A row with all bits of the active lanes, 0 for the others.
    const std::uint32_t *active() {
        if (const std::uint64_t mask = exec(); mask != active_mask_)
            make_active(mask);
        return active_.data();
    }

    /// A mask has a bit for each lane, in one or two scalar registers.
    [[nodiscard]] Value mask_at(unsigned index) const { return scalars_at(index, lanes_ / 32); }
    void set_mask(unsigned index, Value mask) { set_scalars(index, lanes_ / 32, mask); }

    [[nodiscard]] Value scalar_value(const Operand &operand) const {
        return operand.type == Operand::Type::constant ? Value{operand.bits, 0}
                                                       : scalars_at(operand.index, operand.words);
    }
    void set_scalars(unsigned index, unsigned words, Value value) {
        for (unsigned word = 0; word < words && word < 2; word++)
            set_scalar(index + word, {value.bits >> (32 * word), value.undefined >> (32 * word)});
    }
    void set_scalar(unsigned index, Value word);

    /// A word of one lane: of a vector register `word` behind the operand's first, or of a scalar or a constant.
    [[nodiscard]] Value lane_word(const Operand &operand, unsigned word, unsigned lane) const {
        if (operand.type == Operand::Type::vector)
            return {vectors[operand.index + word][lane], undefined_vectors[operand.index + word][lane]};
        const Value whole = scalar_value(operand);
        return {whole.bits >> (32 * word) & ~0u, whole.undefined >> (32 * word) & ~0u};
    }
    void set_lane_word(unsigned index, unsigned lane, Value word) {
        vectors[index][lane] = static_cast<std::uint32_t>(word.bits);
        if (strict_)
            undefined_vectors[index][lane] = static_cast<std::uint32_t>(word.undefined);
    }
    /// Replaces 16 bits of a register, from bit `shift` on.
    void set_lane_half(unsigned index, unsigned lane, Value half, unsigned shift) {
        const std::uint64_t kept = ~(std::uint64_t{0xffff} << shift);
        set_lane_word(index, lane,
                      {(vectors[index][lane] & kept) | half.bits << shift,
                       (undefined_vectors[index][lane] & kept) | half.undefined << shift});
    }

  private:
    void make_active(std::uint64_t mask);
    void observe(const Instruction &instruction, std::uint32_t index);

    [[nodiscard]] Value scalars_at(unsigned index, unsigned words) const {
        if (index == scalar::null)
            return {};
        if (words == 1)
            return {scalars_[index], undefined_scalars_[index]};
        return {scalars_[index] | std::uint64_t{scalars_[index + 1]} << 32,
                undefined_scalars_[index] | std::uint64_t{undefined_scalars_[index + 1]} << 32};
    }

    Group *group_ = nullptr;
    Modes modes_;
    unsigned lanes_ = 64;
    bool strict_ = false;
    Waits waits_; ///< of a strict wave
    std::array<std::uint32_t, scalar::count> scalars_{}, undefined_scalars_{};
    Row active_{};
    std::uint64_t active_mask_ = 0; ///< the EXEC that `active_` is made of
};

/// Returns the bits. Throws Fault if any is undefined; `use` names what they decide.
inline std::uint64_t defined(const Value &value, const char *use) {
    if (value.undefined)
        throw Fault(std::string(use) + " depends on bits that nobody wrote");
    return value.bits;
}

/// Calls `function` for each lane of a mask, in ascending order.
template <class Function>
void for_each_lane(std::uint64_t mask, const Function &function) {
    for (; mask; mask &= mask - 1)
        function(static_cast<unsigned>(std::countr_zero(mask)));
}

} // namespace isovmaf::amd
