// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "hip/testing/amd/waits.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

namespace {

constexpr std::uint8_t bit(MemoryEvent event) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(event)); }

constexpr std::uint8_t loads = bit(MemoryEvent::load), stores = bit(MemoryEvent::store);
constexpr std::uint8_t local = bit(MemoryEvent::local), scalars = bit(MemoryEvent::scalar);

MemoryEvent event_of(std::string_view mnemonic) {
    if (mnemonic.starts_with("global_load"))
        return MemoryEvent::load;
    if (mnemonic.starts_with("global_store") || mnemonic.starts_with("global_atomic"))
        return MemoryEvent::store;
    if (mnemonic.starts_with("ds_"))
        return MemoryEvent::local;
    return mnemonic.starts_with("s_load") ? MemoryEvent::scalar : MemoryEvent::none;
}

bool is_load(std::string_view mnemonic) {
    return mnemonic.find("_load") != std::string_view::npos || mnemonic.starts_with("ds_read") ||
           mnemonic.starts_with("ds_bpermute");
}

unsigned number(std::string_view text) {
    return static_cast<unsigned>(std::strtoul(std::string(text).c_str(), nullptr, 0));
}

void add_wait(Instruction &instruction, std::uint8_t kinds, unsigned limit) {
    WaitFor &wait = instruction.waits[instruction.waits[0].kinds != 0];
    wait = {kinds, static_cast<std::uint8_t>(limit)};
}

/// "vmcnt(1)", "lgkmcnt(0)", "expcnt(0)": the last counts exports, which kernels have not.
void add_named_wait(Instruction &instruction, std::string_view text) {
    const std::size_t bracket = text.find('(');
    const std::string_view name = text.substr(0, bracket);
    const unsigned limit = bracket == std::string_view::npos ? 0 : number(text.substr(bracket + 1));
    if (name == "vmcnt")
        add_wait(instruction, loads, limit);
    else if (name == "lgkmcnt")
        add_wait(instruction, local | scalars, limit);
    else if (name != "expcnt" && name != "&")
        throw std::runtime_error("the executor does not know this wait");
}

} // namespace

void add_waits(const Pieces &pieces, Instruction &instruction) {
    const std::string_view mnemonic = pieces.mnemonic;
    instruction.event = event_of(mnemonic);
    instruction.loads = is_load(mnemonic);
    if (!mnemonic.starts_with("s_wait") || mnemonic == "s_waitcnt_depctr" || mnemonic == "s_wait_alu")
        return;
    if (mnemonic == "s_waitcnt") {
        for (const auto *const list : {&pieces.operands, &pieces.modifiers})
            for (const std::string_view text : *list)
                add_named_wait(instruction, text);
        return;
    }
    const unsigned limit = number(pieces.operands.back());
    if (mnemonic == "s_waitcnt_vscnt" || mnemonic == "s_wait_storecnt")
        add_wait(instruction, stores, limit);
    else if (mnemonic == "s_wait_loadcnt")
        add_wait(instruction, loads, limit);
    else if (mnemonic == "s_wait_dscnt")
        add_wait(instruction, local, limit);
    else if (mnemonic == "s_wait_kmcnt")
        add_wait(instruction, scalars, limit);
    else if (mnemonic == "s_wait_loadcnt_dscnt" || mnemonic == "s_wait_storecnt_dscnt") {
        add_wait(instruction, mnemonic == "s_wait_loadcnt_dscnt" ? loads : stores, limit >> 8);
        add_wait(instruction, local, limit & 0xff);
    }
}

void Waits::before(const Wave &wave, const Instruction &instruction, std::uint32_t) {
    for (const WaitFor &waited : instruction.waits)
        if (waited.kinds)
            wait(waited);
    if (uses_loading(instruction) || (instruction.paired && uses_loading(*(&instruction + 1))))
        throw Fault("a register is used before the wait for the instruction that loads it");
    if (instruction.is_barrier &&
        std::ranges::any_of(events_, [](const Event &event) { return event.kind == MemoryEvent::local; }))
        throw Fault("a barrier without a wait for the accesses to LDS before it");
    if (instruction.event != MemoryEvent::none)
        begin(wave, instruction);
}

/// GPUs before gfx10 count stores like loads.
void Waits::begin(const Wave &wave, const Instruction &instruction) {
    const Generation generation = wave.modes().generation;
    const bool one_counter = generation == Generation::gfx90a || generation == Generation::gfx942;
    const bool counts_as_load = instruction.event == MemoryEvent::store && one_counter;
    events_.push_back({counts_as_load ? MemoryEvent::load : instruction.event,
                       instruction.loads ? instruction.sources[0] : Operand{}});
}

/// At most `limit` of these events are incomplete then. Scalar loads complete in any order, so all of them may be among
/// those unless there are none; others complete in the order in which they began.
void Waits::wait(const WaitFor &wait) {
    const auto is_meant = [&](const Event &event) { return (wait.kinds & bit(event.kind)) != 0; };
    if (wait.limit == 0) {
        std::erase_if(events_, is_meant);
        return;
    }
    const auto is_scalar = [](const Event &event) { return event.kind == MemoryEvent::scalar; };
    const auto meant = std::ranges::count_if(events_, is_meant);
    const auto unordered = wait.kinds & scalars ? std::ranges::count_if(events_, is_scalar) : 0;
    auto complete = meant - unordered - wait.limit;
    std::erase_if(events_, [&](const Event &event) { return is_meant(event) && !is_scalar(event) && complete-- > 0; });
}

bool Waits::is_loading(const Operand &operand) const {
    if (operand.type != Operand::Type::vector && operand.type != Operand::Type::scalar)
        return false;
    return std::ranges::any_of(events_, [&](const Event &event) {
        return event.loaded.type == operand.type && event.loaded.index < operand.index + operand.words &&
               operand.index < event.loaded.index + event.loaded.words;
    });
}

bool Waits::uses_loading(const Instruction &instruction) const {
    return !events_.empty() &&
           (is_loading(instruction.destination) || is_loading(instruction.mask) || is_loading(instruction.condition) ||
            std::ranges::any_of(instruction.sources, [&](const Operand &source) { return is_loading(source); }));
}

} // namespace isovmaf::amd
