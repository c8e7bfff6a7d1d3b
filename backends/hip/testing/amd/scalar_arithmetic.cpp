// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scalar arithmetic, and the scalar instructions that read or write EXEC, the program counter or the wave's state.
#include <array>

#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

void do_nothing(Wave &, const Instruction &) {}

void end_program(Wave &wave, const Instruction &) { wave.state = WaveState::ended; }

void wait_at_barrier(Wave &wave, const Instruction &) { wave.state = WaveState::at_barrier; }

void branch_if(Wave &wave, const Instruction &instruction, bool condition) {
    if (condition)
        wave.next = instruction.target;
}
void branch(Wave &wave, const Instruction &i) { branch_if(wave, i, true); }
void branch_scc0(Wave &wave, const Instruction &i) { branch_if(wave, i, !wave.scc); }
void branch_scc1(Wave &wave, const Instruction &i) { branch_if(wave, i, wave.scc); }
void branch_vccz(Wave &wave, const Instruction &i) { branch_if(wave, i, wave.mask_at(scalar::vcc) == 0); }
void branch_vccnz(Wave &wave, const Instruction &i) { branch_if(wave, i, wave.mask_at(scalar::vcc) != 0); }
void branch_execz(Wave &wave, const Instruction &i) { branch_if(wave, i, wave.exec() == 0); }
void branch_execnz(Wave &wave, const Instruction &i) { branch_if(wave, i, wave.exec() != 0); }

/// The address of the next instruction.
void get_program_counter(Wave &wave, const Instruction &instruction) {
    const Program &program = wave.group().program;
    const auto image = reinterpret_cast<std::uint64_t>(program.code().image().data());
    wave.write_scalars(instruction.sources[0], image + program.address_of(wave.next));
}

/// Keeps EXEC in the destination, and makes EXEC from the source and the old EXEC.
template <class Function>
void save_exec(Wave &wave, const Instruction &instruction) {
    const std::uint64_t source = wave.scalar_bits(instruction.sources[1]), exec = wave.exec();
    wave.write_scalars(instruction.sources[0], exec);
    wave.set_mask(scalar::exec, Function{}(source, exec));
    wave.scc = wave.exec() != 0;
}

struct And {
    std::uint64_t operator()(std::uint64_t source, std::uint64_t exec) const { return source & exec; }
};
struct AndNot {
    std::uint64_t operator()(std::uint64_t source, std::uint64_t exec) const { return source & ~exec; }
};
struct Or {
    std::uint64_t operator()(std::uint64_t source, std::uint64_t exec) const { return source | exec; }
};

} // namespace

void execute_scalar(Wave &wave, const Instruction &instruction) {
    const Operation &operation = *instruction.operation;
    std::array<Value, 6> sources;
    std::size_t count = 0;
    for (; count < instruction.source_count; count++)
        sources[count].bits = wave.scalar_bits(instruction.sources[count]);
    if (operation.takes_destination)
        sources[count++].bits = wave.scalar_bits(instruction.destination);
    if (operation.takes_condition)
        sources[count++].bits = wave.scc;
    const Outcome outcome = operation.function(wave.modes(), {sources.data(), count});
    if (operation.result != Kind::none)
        wave.write_scalars(instruction.destination, outcome.result.bits);
    if (operation.writes_flag)
        wave.scc = outcome.flag.bits & 1;
}

std::span<const SpecialInstruction> control_instructions() {
    static constexpr SpecialInstruction table[] = {
        {"s_branch", branch},
        {"s_cbranch_scc0", branch_scc0},
        {"s_cbranch_scc1", branch_scc1},
        {"s_cbranch_vccz", branch_vccz},
        {"s_cbranch_vccnz", branch_vccnz},
        {"s_cbranch_execz", branch_execz},
        {"s_cbranch_execnz", branch_execnz},
        {"s_endpgm", end_program},
        {"s_getpc_b64", get_program_counter},
        {"s_and_saveexec_b32", save_exec<And>},
        {"s_and_saveexec_b64", save_exec<And>},
        {"s_andn2_saveexec_b32", save_exec<AndNot>},
        {"s_andn2_saveexec_b64", save_exec<AndNot>},
        {"s_and_not1_saveexec_b32", save_exec<AndNot>},
        {"s_or_saveexec_b32", save_exec<Or>},
        {"s_or_saveexec_b64", save_exec<Or>},
        {"s_barrier", wait_at_barrier, true},
        {"s_barrier_signal", do_nothing, true},
        {"s_barrier_wait", wait_at_barrier, true},
        // Memory instructions are complete when the next instruction begins, and there are no caches.
        {"s_waitcnt", do_nothing, true},
        {"s_waitcnt_vscnt", do_nothing, true},
        {"s_waitcnt_depctr", do_nothing, true},
        {"s_wait_dscnt", do_nothing, true},
        {"s_wait_kmcnt", do_nothing, true},
        {"s_wait_loadcnt", do_nothing, true},
        {"s_wait_loadcnt_dscnt", do_nothing, true},
        {"s_wait_storecnt", do_nothing, true},
        {"s_wait_storecnt_dscnt", do_nothing, true},
        {"buffer_gl0_inv", do_nothing, true},
        {"global_inv", do_nothing, true},
        {"global_wb", do_nothing, true},
        // These change the time that instructions take, or free registers of a wave that ends.
        {"s_nop", do_nothing, true},
        {"s_clause", do_nothing, true},
        {"s_delay_alu", do_nothing, true},
        {"s_inst_prefetch", do_nothing, true},
        {"s_set_inst_prefetch_distance", do_nothing, true},
        {"s_sendmsg", do_nothing, true},
    };
    return table;
}

} // namespace isovmaf::amd
