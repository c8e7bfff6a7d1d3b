// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

namespace isovmaf::amd {

class Wave;
struct Instruction;

/// Sees every instruction of every wave. A dual instruction is seen once, as its first half.
class Observer {
  public:
    virtual ~Observer() = default;

    /// The instruction has this index in its program, and is executed next: registers still have its operands.
    virtual void before(const Wave &wave, const Instruction &instruction, std::uint32_t index) = 0;
};

} // namespace isovmaf::amd
