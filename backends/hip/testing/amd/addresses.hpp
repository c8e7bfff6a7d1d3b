// SPDX-License-Identifier: BSD-2-Clause-Patent
// Where the lanes of a memory instruction access memory.
#pragma once

#include <cstdint>

#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

/// In the memory of the device: a pair of registers, or a pair of scalars and an unsigned offset.
inline std::uint64_t lane_address(const Wave &wave, const Instruction &instruction, const Operand &address,
                                  const Operand &base, unsigned lane) {
    const std::uint64_t low = defined(wave.lane_word(address, 0, lane), "an address");
    const auto offset = static_cast<std::uint64_t>(std::int64_t{instruction.offsets[0]});
    if (base.type == Operand::Type::none)
        return (low | defined(wave.lane_word(address, 1, lane), "an address") << 32) + offset;
    return defined(wave.scalar_value(base), "an address") + low + offset;
}

/// In LDS: `scale` turns the instruction's offset of a part into bytes. The sum wraps.
inline std::uint32_t local_address(const Wave &wave, const Instruction &instruction, const Operand &address,
                                   unsigned lane, std::size_t part, std::uint32_t scale) {
    const auto begin = static_cast<std::uint32_t>(defined(wave.lane_word(address, 0, lane), "an address"));
    return begin + static_cast<std::uint32_t>(instruction.offsets[part]) * scale;
}

} // namespace isovmaf::amd
