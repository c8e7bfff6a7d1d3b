// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hip/testing/amd/executor.hpp"
#include "hip/testing/amd/wave.hpp"

namespace isovmaf::amd {

/// What a kernel finds in memory when it begins.
struct LaunchSegments {
    explicit LaunchSegments(const Launch &launch);

    std::vector<std::byte> arguments;
    std::array<std::byte, 64> packet{}; ///< the dispatch packet
    std::uint32_t run;                  ///< number of the launch: accesses of one launch can conflict
};

/// The modes that a kernel descriptor asks for.
Modes initial_modes(const Kernel &kernel, Generation generation, Approximation approximation);

/// Sets the registers that a wave finds set. `number` is that of the wave in its group.
void set_registers(Wave &wave, const Launch &launch, const LaunchSegments &segments,
                   const std::array<std::uint32_t, 3> &group, std::uint32_t number);

} // namespace isovmaf::amd
