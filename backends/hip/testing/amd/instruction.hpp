// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>

#include "hip/testing/amd/lane_operations.hpp"

namespace isovmaf::amd {

class Wave;
struct Instruction;

/// Registers that are one for a whole wave, in one array: SGPRs from 0, VCC, TTMP0 to TTMP15, M0, null and EXEC.
namespace scalar {
constexpr unsigned vcc = 106, ttmp = 108, m0 = 124, null = 125, exec = 126, count = 128;
}

/// The part of a register that an SDWA operand names.
enum class Selection : std::uint8_t { dword, byte_0, byte_1, byte_2, byte_3, word_0, word_1 };

/// What SDWA makes of the other bits of the destination.
enum class Unused : std::uint8_t { pad, sign_extend, preserve };

struct Operand {
    enum class Type : std::uint8_t { none, vector, scalar, constant };

    Type type = Type::none;
    std::uint8_t words = 1;  ///< registers
    std::uint16_t index = 0; ///< of the first register
    Selection selection = Selection::dword;
    bool sign_extended = false; ///< the selected part
    bool absolute = false, negated = false;
    std::array<std::uint8_t, 2> order{0, 1}; ///< of two numbers in two registers: which the low and high results read
    std::array<bool, 2> negative{};          ///< of these two: whose sign changes
    std::uint64_t bits = 0;                  ///< of a constant

    [[nodiscard]] bool modified() const {
        return selection != Selection::dword || absolute || negated || order != std::array<std::uint8_t, 2>{0, 1} ||
               negative[0] || negative[1];
    }
};

/// What a memory instruction begins: a load or a store of lanes, an access to LDS, or a load of scalars.
enum class MemoryEvent : std::uint8_t { none, load, store, local, scalar };

/// An instruction waits until at most `limit` events of these kinds are incomplete. `kinds` has a bit for each kind.
struct WaitFor {
    std::uint8_t kinds = 0, limit = 0;
};

/// Executes one instruction of a wave whose program counter is already that of the next one.
using Execute = void (*)(Wave &, const Instruction &);

struct Instruction {
    Execute execute = nullptr;
    const Operation *operation = nullptr; ///< of arithmetic
    std::array<Operand, 5> sources;       ///< of other instructions: all operands of the text
    std::uint8_t source_count = 0;
    Operand destination;
    Operand mask;      ///< where flags of the lanes go
    Operand condition; ///< where bits of the lanes come from
    Selection destination_selection = Selection::dword;
    Unused unused = Unused::pad;
    bool sdwa = false;                     ///< the two above count
    bool paired = false;                   ///< the next instruction is the other half of a dual instruction
    bool returns = false;                  ///< an atomic's old value
    std::array<std::int32_t, 2> offsets{}; ///< of memory instructions
    std::array<bool, 2> op_sel{};          ///< which halves of two sources are read
    std::uint32_t target = 0;              ///< of a branch: the index of an instruction
    std::uint32_t line = 0;                ///< of the disassembly
    MemoryEvent event = MemoryEvent::none;
    bool loads = false;      ///< the event writes the registers of the first operand
    bool is_barrier = false; ///< what waves do before it is seen by other waves
    std::array<WaitFor, 2> waits;
};

} // namespace isovmaf::amd
