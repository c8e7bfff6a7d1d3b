// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/wave.hpp"

#include <fmt/format.h>

#include "hip/testing/amd/instruction_tables.hpp"

namespace isovmaf::amd {

/// Registers that nobody wrote have this content. It is no small number, no address and no float of a usual size.
constexpr std::uint32_t unwritten = 0xfdfd'5b5b;

void Wave::start(Group &group, const Kernel &kernel, const Modes &modes) {
    group_ = &group;
    modes_ = modes;
    lanes_ = kernel.lanes;
    state = WaveState::running;
    next = group.program.index_at(kernel.entry);
    scc = false;
    scalars.fill(unwritten);
    for (unsigned i = 0; i < kernel.vector_registers; i++)
        vectors[i].fill(unwritten);
}

void Wave::make_active(std::uint64_t mask) {
    active_mask_ = mask;
    for (unsigned lane = 0; lane < active_.size(); lane++)
        active_[lane] = mask >> lane & 1 ? ~0u : 0;
}

void Wave::run() {
    state = WaveState::running;
    const Instruction *const instructions = group_->program.instructions().data();
    try {
        while (state == WaveState::running) {
            const Instruction &instruction = instructions[next++];
            (instruction.paired ? execute_dual : instruction.execute)(*this, instruction);
        }
    } catch (const std::runtime_error &error) {
        throw Fault(fmt::format("{}: {}", group_->program.describe(next - 1), error.what()));
    }
}

} // namespace isovmaf::amd
