// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "hip/testing/amd/instruction.hpp"
#include "hip/testing/amd/observer.hpp"
#include "hip/testing/amd/operands.hpp"

namespace isovmaf::amd {

/// Notes which memory event an instruction begins, and for which events it waits.
void add_waits(const Pieces &pieces, Instruction &instruction);

/// The memory instructions of one wave that may not be complete yet. Throws Fault when an instruction uses a register
/// that a load may not have written yet, and when a wave reaches a barrier with incomplete accesses to LDS.
class Waits final : public Observer {
  public:
    void before(const Wave &wave, const Instruction &instruction, std::uint32_t index) override;

  private:
    struct Event {
        MemoryEvent kind;
        Operand loaded; ///< none for stores
    };

    void begin(const Wave &wave, const Instruction &instruction);
    void wait(const WaitFor &wait);
    [[nodiscard]] bool is_loading(const Operand &operand) const;
    [[nodiscard]] bool uses_loading(const Instruction &instruction) const;

    std::deque<Event> events_; ///< in the order in which they began
};

} // namespace isovmaf::amd
