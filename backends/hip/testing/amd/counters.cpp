// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/counters.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "hip/testing/amd/addresses.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

constexpr unsigned bank_count = 32, line_bytes = 64;

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != text.npos; });
}

/// `name` has no suffix of an encoding. Products of 16 and 24 bits are no multiplications of 32 bits.
InstructionClass vector_class_of(std::string_view name) {
    if (starts_with_any(name, {"v_rcp_", "v_rsq_", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_"}))
        return name.ends_with("_f64") ? InstructionClass::transcendental_f64 : InstructionClass::transcendental;
    if (starts_with_any(name, {"v_mad_u64_u32", "v_mad_i64_i32", "v_mad_co_u64_u32", "v_mad_co_i64_i32"}))
        return InstructionClass::multiplication;
    if (starts_with_any(name, {"v_mul_lo_", "v_mul_hi_"}) && name.ends_with("32"))
        return InstructionClass::multiplication;
    if (name.find("_f64") != name.npos)
        return InstructionClass::vector_f64;
    return contains_any(name, {"_u64", "_i64", "_b64"}) ? InstructionClass::vector_64 : InstructionClass::vector_32;
}

InstructionClass class_of(const Instruction &instruction, std::string_view mnemonic) {
    if (instruction.paired)
        return InstructionClass::dual;
    if (mnemonic.starts_with("v_"))
        return vector_class_of(instruction.operation ? instruction.operation->name : mnemonic);
    switch (instruction.event) {
    case MemoryEvent::load:
    case MemoryEvent::store:
        return InstructionClass::global_memory;
    case MemoryEvent::local:
        return InstructionClass::local_memory;
    case MemoryEvent::scalar:
        return InstructionClass::scalar_memory;
    case MemoryEvent::none:
        break;
    }
    const bool control =
        starts_with_any(mnemonic, {"s_branch", "s_cbranch_", "s_endpgm", "s_barrier", "s_wait", "s_nop", "s_clause",
                                   "s_delay_alu", "s_inst_prefetch", "s_set_inst_prefetch_distance", "s_sendmsg"});
    return control || !mnemonic.starts_with("s_") ? InstructionClass::control : InstructionClass::scalar;
}

/// Words of LDS that the lanes of a pass ask for, each once.
class Pass {
  public:
    void add(std::uint32_t word) {
        if (std::ranges::find(words_.begin(), words_.begin() + size_, word) == words_.begin() + size_)
            words_[size_++] = word;
    }

    /// How many cycles the pass takes; 0 if no lane is active.
    [[nodiscard]] std::uint64_t cycles() const {
        std::array<unsigned, bank_count> words_of_bank{};
        unsigned most = 0;
        for (unsigned i = 0; i < size_; i++)
            most = std::max(most, ++words_of_bank[words_[i] % bank_count]);
        return most;
    }

  private:
    std::array<std::uint32_t, bank_count> words_{};
    unsigned size_ = 0;
};

const Operand &address_operand(const Instruction &instruction) { return instruction.sources[instruction.loads]; }

} // namespace

bool LineSet::add(std::uint64_t line) {
    const std::uint64_t number = line / page_lines;
    if (!last_ || number != last_number_) {
        last_ = &pages_[number];
        last_number_ = number;
    }
    auto bit = (*last_)[line % page_lines];
    const bool added = !bit;
    bit = true;
    return added;
}

Counters::Counters(const Program &program) {
    const std::vector<Instruction> &instructions = program.instructions();
    costs_.reserve(instructions.size());
    for (std::uint32_t i = 0; i < instructions.size(); i++) {
        const std::string_view text = program.text_of(i);
        const std::string_view mnemonic = text.substr(0, text.find(' '));
        const SpecialInstruction *const special = find_special_instruction(mnemonic);
        costs_.push_back({class_of(instructions[i], mnemonic), special ? special->access : LaneAccess{}});
    }
}

void Counters::begin(const Launch &launch) {
    current_ = &kernels_[launch.kernel];
    const std::uint64_t groups = std::uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2];
    current_->launches++;
    current_->groups += groups;
    current_->waves += groups * wave_count(launch);
    lines_.clear();
}

void Counters::before(const Wave &wave, const Instruction &instruction, std::uint32_t index) {
    const Cost &cost = costs_[index];
    current_->instructions[static_cast<std::size_t>(cost.kind)]++;
    if (cost.access.bytes == 0)
        return;
    if (cost.kind == InstructionClass::local_memory)
        count_local(wave, instruction, cost.access);
    else
        count_global(wave, instruction, cost.access);
}

void Counters::count_local(const Wave &wave, const Instruction &instruction, const LaneAccess &access) {
    const unsigned words = (access.bytes + 3U) / 4, lanes_of_pass = bank_count / words;
    for (unsigned part = 0; part < access.parts; part++) {
        for (unsigned first = 0; first < wave.lanes(); first += lanes_of_pass) {
            const std::uint64_t lanes = (std::uint64_t{1} << lanes_of_pass) - 1;
            Pass pass;
            for_each_lane(wave.exec() & lanes << first, [&](unsigned lane) {
                const std::uint32_t at =
                    local_address(wave, instruction, address_operand(instruction), lane, part, access.scale);
                for (unsigned word = 0; word < words; word++)
                    pass.add(at / 4 + word);
                current_->local_misaligned += at % std::bit_ceil(access.bytes) != 0;
            });
            const std::uint64_t cycles = pass.cycles();
            current_->local_passes += cycles != 0;
            current_->local_conflicts += cycles - (cycles != 0);
        }
    }
}

void Counters::count_global(const Wave &wave, const Instruction &instruction, const LaneAccess &access) {
    std::array<std::uint64_t, 2 * 64> lines{}; // a lane's access lies in one line or in two
    std::size_t count = 0;
    for_each_lane(wave.exec(), [&](unsigned lane) {
        const std::uint64_t at =
            lane_address(wave, instruction, address_operand(instruction), instruction.sources[2], lane);
        lines[count++] = at / line_bytes;
        lines[count++] = (at + access.bytes - 1) / line_bytes;
        current_->global_misaligned += at % std::min<unsigned>(access.bytes, 4) != 0;
    });
    current_->global_bytes += std::uint64_t{access.bytes} * (count / 2);
    std::sort(lines.begin(), lines.begin() + count);
    const auto end = std::unique(lines.begin(), lines.begin() + count);
    current_->global_lines += static_cast<std::uint64_t>(end - lines.begin());
    std::for_each(lines.begin(), end, [&](std::uint64_t line) { current_->launch_lines += lines_.add(line); });
}

} // namespace isovmaf::amd
