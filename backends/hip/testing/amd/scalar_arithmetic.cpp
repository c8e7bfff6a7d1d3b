// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scalar arithmetic, and the scalar instructions that read or write EXEC, the program counter or the wave's state.
#include <array>

#include "hip/testing/amd/instruction_tables.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

void do_nothing(Wave &, const Instruction &) {}

void end_program(Wave &wave, const Instruction &) { wave.state = WaveState::ended; }

void wait_at_barrier(Wave &wave, const Instruction &) {
    wave.state = WaveState::at_barrier;
    wave.accessor.epoch++;
}

void branch_if(Wave &wave, const Instruction &instruction, bool condition) {
    if (condition)
        wave.next = instruction.target;
}
/// Whether a mask has any bit set. Undefined bits have no say if a defined one is set.
bool is_any(const Value &mask) { return (mask.bits & ~mask.undefined) != 0 || defined(mask, "a branch") != 0; }

void branch(Wave &wave, const Instruction &i) { branch_if(wave, i, true); }
void branch_scc0(Wave &wave, const Instruction &i) { branch_if(wave, i, !defined(wave.scc, "a branch")); }
void branch_scc1(Wave &wave, const Instruction &i) { branch_if(wave, i, defined(wave.scc, "a branch")); }
void branch_vccz(Wave &wave, const Instruction &i) { branch_if(wave, i, !is_any(wave.mask_at(scalar::vcc))); }
void branch_vccnz(Wave &wave, const Instruction &i) { branch_if(wave, i, is_any(wave.mask_at(scalar::vcc))); }
void branch_execz(Wave &wave, const Instruction &i) { branch_if(wave, i, wave.exec() == 0); }
void branch_execnz(Wave &wave, const Instruction &i) { branch_if(wave, i, wave.exec() != 0); }

/// The address of the next instruction.
void get_program_counter(Wave &wave, const Instruction &instruction) {
    const Program &program = wave.group().program;
    const auto image = reinterpret_cast<std::uint64_t>(program.code().image().data());
    wave.set_scalars(instruction.sources[0].index, 2, {image + program.address_of(wave.next), 0});
}

/// Keeps EXEC in the destination, and makes EXEC from the source and the old EXEC. An undefined bit of the source is
/// one of the result where `Function` lets it through.
template <class Function>
void save_exec(Wave &wave, const Instruction &instruction) {
    const Value source = wave.scalar_value(instruction.sources[1]);
    const std::uint64_t exec = wave.exec();
    wave.set_mask(instruction.sources[0].index, {exec, 0});
    const std::uint64_t changed = Function{}(source.bits ^ source.undefined, exec) ^ Function {}(source.bits, exec);
    wave.set_mask(scalar::exec, {Function{}(source.bits, exec), changed});
    wave.scc = {wave.exec() != 0, 0};
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
        sources[count] = wave.scalar_value(instruction.sources[count]);
    if (operation.takes_destination)
        sources[count++] = wave.scalar_value(instruction.destination);
    if (operation.takes_condition)
        sources[count++] = wave.scc;
    const Outcome outcome = operation.function(wave.modes(), {sources.data(), count});
    if (operation.result != Kind::none)
        wave.set_scalars(instruction.destination.index, instruction.destination.words, outcome.result);
    if (operation.writes_flag)
        wave.scc = outcome.flag;
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
        // Memory instructions are complete when the next instruction begins, and there are no caches. Strict waves have
        // an account of what these instructions wait for.
        {"s_waitcnt", do_nothing, true},
        {"s_waitcnt_vscnt", do_nothing, true},
        {"s_waitcnt_depctr", do_nothing, true},
        {"s_wait_alu", do_nothing, true}, // its name since LLVM 20
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
