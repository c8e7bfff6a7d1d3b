// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "hip/testing/amd/value.hpp"

namespace isovmaf::amd {

enum class Generation : std::uint8_t { gfx90a, gfx942, gfx1030, gfx1100, gfx1201 };

/// The values of the field FP_ROUND of the register MODE.
enum class Rounding : std::uint8_t { nearest_even, up, down, zero };

/// What reciprocals, roots and other approximate instructions return: the correctly rounded value, or the lowest or
/// highest value that the documents allow.
enum class Approximation : std::uint8_t { exact, lowest, highest };

/// What the results of arithmetic depend on besides the sources.
struct Modes {
    Generation generation = Generation::gfx90a;
    Rounding round_f32 = Rounding::nearest_even;
    Rounding round_f64 = Rounding::nearest_even; ///< of f16 too
    // The fields FP_DENORM of the register MODE: bit 0 keeps subnormal sources, bit 1 keeps subnormal results.
    std::uint8_t denormals_f32 = 3;
    std::uint8_t denormals_f64 = 3; ///< of f16 too
    bool ieee = true;               ///< min and max make signalling NaNs quiet
    Approximation approximation = Approximation::exact;
};

/// What the bits of an operand mean. `packed` kinds hold two numbers of 16 bits or four of 8 bits.
enum class Kind : std::uint8_t { none, u16, i16, u32, i32, u64, i64, f16, f32, f64, packed };

constexpr unsigned width_bits(Kind kind) {
    switch (kind) {
    case Kind::none:
        return 0;
    case Kind::u16:
    case Kind::i16:
    case Kind::f16:
        return 16;
    case Kind::u64:
    case Kind::i64:
    case Kind::f64:
        return 64;
    default:
        return 32;
    }
}

/// What becomes of bits 31:16 of a vector register when an instruction writes 16 bits.
enum class HighHalf : std::uint8_t {
    zeroed_until_gfx9, ///< zeroed by gfx90a and gfx942, kept by later generations
    kept,
};

/// The result of one lane. `flag` has one bit: a carry, the outcome of a compare, or SCC.
struct Outcome {
    Value result;
    Value flag;
};

/// The operands of all lanes of a wave, without undefined bits. A row has one 32-bit element for each lane; an operand
/// of 64 bits has two rows, of which the high one begins `row_stride` elements after the low one.
struct WaveOperands {
    static constexpr std::size_t row_stride = 64; ///< of waves of 32 lanes too

    std::array<const std::uint32_t *, 4> sources{}; ///< narrow operands lie in the low bits
    std::uint32_t *result = nullptr;                ///< may be a row of `sources`
    const std::uint32_t *active = nullptr;          ///< a row: all bits of the lanes whose result is written, else 0
    std::uint64_t mask_in = 0;                      ///< the condition of each lane
    std::uint64_t mask_out = 0;                     ///< the flag of each lane; that of inactive lanes means nothing
    unsigned lanes = 64;                            ///< 32 or 64
};

/// The meaning of one instruction for one lane, or of one scalar instruction. The function's sources are, in this
/// order: those of the assembler text from left to right (without a mask such as vcc); the old destination, if
/// `takes_destination`; the condition, one bit, if `takes_condition`; the number of the lane, if `takes_lane`. A source
/// has the bits of its kind; those above are not read. Modifiers of sources are already applied, modifiers of the
/// result are not.
struct Operation {
    std::string_view name; ///< without the suffix of an encoding: _e32, _e64, _sdwa, _dpp
    std::array<Kind, 4> sources{};
    std::uint8_t source_count = 0; ///< kinds in `sources`: those of the assembler text
    Kind result = Kind::none;      ///< none: only the flag is written
    HighHalf high_half = HighHalf::zeroed_until_gfx9;
    bool takes_destination = false; ///< of the kind `result`
    bool takes_condition = false;   ///< a carry, the mask's bit of the lane, or SCC
    bool writes_flag = false;       ///< to a mask (vector instructions) or to SCC (scalar instructions)
    bool writes_exec = false;       ///< the flag goes to EXEC (v_cmpx)

    Outcome (*function)(const Modes &, std::span<const Value> sources) = nullptr;

    /// The same for all lanes at once. The condition is `mask_in` instead of a source, the flag is `mask_out`. Null for
    /// instructions that are scalar alone.
    void (*wave)(const Modes &, WaveOperands &) = nullptr;
};

/// The operation of a mnemonic, with or without the suffix of an encoding, and of a half of a v_dual_ pair. One that
/// `saturates` has the modifier clamp. Null if there is none.
const Operation *find_operation(std::string_view mnemonic, bool saturates = false);

} // namespace isovmaf::amd
