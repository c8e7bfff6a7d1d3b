// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/wave.hpp"

#include <fmt/format.h>

#include "hip/testing/amd/instruction_tables.hpp"

namespace isovmaf::amd {

/// Registers that nobody wrote have this content. It is no small number, no address and no float of a usual size.
constexpr std::uint32_t unwritten = 0xfdfd'5b5b;

void Wave::start(Group &group, const Kernel &kernel, const Modes &modes, bool strict) {
    group_ = &group;
    modes_ = modes;
    lanes_ = kernel.lanes;
    strict_ = strict;
    state = WaveState::running;
    next = group.program.index_at(kernel.entry);
    waits_ = {};
    scc = {0, strict};
    scalars_.fill(unwritten);
    undefined_scalars_.fill(strict ? ~0u : 0);
    for (unsigned i = 0; i < kernel.vector_registers; i++) {
        vectors[i].fill(unwritten);
        undefined_vectors[i].fill(strict ? ~0u : 0);
    }
}

void Wave::set_scalar(unsigned index, Value word) {
    if (index == scalar::null)
        return;
    scalars_[index] = static_cast<std::uint32_t>(word.bits);
    undefined_scalars_[index] = static_cast<std::uint32_t>(word.undefined);
    if ((index == scalar::exec || index == scalar::exec + 1) && undefined_scalars_[index])
        throw Fault("EXEC depends on bits that nobody wrote");
}

void Wave::make_active(std::uint64_t mask) {
    active_mask_ = mask;
    for (unsigned lane = 0; lane < active_.size(); lane++)
        active_[lane] = mask >> lane & 1 ? ~0u : 0;
}

void Wave::observe(const Instruction &instruction, std::uint32_t index) {
    if (strict_)
        waits_.before(*this, instruction, index);
    if (group_->observer)
        group_->observer->before(*this, instruction, index);
}

void Wave::run() {
    state = WaveState::running;
    const Instruction *const instructions = group_->program.instructions().data();
    const bool observed = strict_ || group_->observer;
    try {
        while (state == WaveState::running) {
            const Instruction &instruction = instructions[next++];
            if (observed)
                observe(instruction, next - 1);
            (instruction.paired ? execute_dual : instruction.execute)(*this, instruction);
        }
    } catch (const std::runtime_error &error) {
        throw Fault(fmt::format("{}: {}", group_->program.describe(next - 1), error.what()));
    }
}

} // namespace isovmaf::amd
