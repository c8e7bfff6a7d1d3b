// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "hip/testing/amd/instruction.hpp"
#include "hip/testing/amd/memory.hpp"
#include "hip/testing/amd/program.hpp"

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
};

enum class WaveState : std::uint8_t { running, at_barrier, ended };

/// The registers of a wave, and where it is in its program.
class Wave {
  public:
    void start(Group &group, const Kernel &kernel, const Modes &modes);

    [[nodiscard]] Group &group() { return *group_; }
    [[nodiscard]] const Modes &modes() const { return modes_; }
    [[nodiscard]] unsigned lanes() const { return lanes_; }

    /// Runs until the wave waits at a barrier or ends.
    void run();

    WaveState state = WaveState::ended;
    std::uint32_t next = 0; ///< the index of the instruction that is executed next
    bool scc = false;

    std::array<std::uint32_t, scalar::count> scalars{};
    std::array<Row, vector_register_count> vectors;
    std::array<Row, 10> scratch; ///< sources that are made for one instruction, two rows each, and its result

    [[nodiscard]] std::uint64_t exec() const { return mask_at(scalar::exec); }

    /// A row with all bits of the active lanes, 0 for the others.
    const std::uint32_t *active() {
        if (const std::uint64_t mask = exec(); mask != active_mask_)
            make_active(mask);
        return active_.data();
    }

    [[nodiscard]] std::uint64_t mask_at(unsigned index) const {
        return lanes_ == 64 ? scalars[index] | std::uint64_t{scalars[index + 1]} << 32 : scalars[index];
    }
    void set_mask(unsigned index, std::uint64_t mask) {
        write_scalar(index, static_cast<std::uint32_t>(mask));
        if (lanes_ == 64)
            write_scalar(index + 1, static_cast<std::uint32_t>(mask >> 32));
    }

    [[nodiscard]] std::uint64_t scalar_bits(const Operand &operand) const {
        if (operand.type == Operand::Type::constant)
            return operand.bits;
        if (operand.index == scalar::null)
            return 0;
        return operand.words == 1 ? scalars[operand.index]
                                  : scalars[operand.index] | std::uint64_t{scalars[operand.index + 1u]} << 32;
    }
    void write_scalar(unsigned index, std::uint32_t word) {
        if (index != scalar::null)
            scalars[index] = word;
    }
    void write_scalars(const Operand &operand, std::uint64_t bits) {
        write_scalar(operand.index, static_cast<std::uint32_t>(bits));
        if (operand.words == 2)
            write_scalar(operand.index + 1u, static_cast<std::uint32_t>(bits >> 32));
    }

    /// A word of one lane: of a vector register `word` behind the operand's first, or of a scalar or a constant.
    [[nodiscard]] std::uint32_t lane_word(const Operand &operand, unsigned word, unsigned lane) const {
        if (operand.type == Operand::Type::vector)
            return vectors[operand.index + word][lane];
        return static_cast<std::uint32_t>(scalar_bits(operand) >> (32 * word));
    }

  private:
    void make_active(std::uint64_t mask);

    Group *group_ = nullptr;
    Modes modes_;
    unsigned lanes_ = 64;
    Row active_{};
    std::uint64_t active_mask_ = 0; ///< the EXEC that `active_` is made of
};

/// Calls `function` for each lane of a mask, in ascending order.
template <class Function>
void for_each_lane(std::uint64_t mask, const Function &function) {
    for (; mask; mask &= mask - 1)
        function(static_cast<unsigned>(std::countr_zero(mask)));
}

} // namespace isovmaf::amd
