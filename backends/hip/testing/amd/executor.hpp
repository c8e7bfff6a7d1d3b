// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hip/testing/amd/memory.hpp"
#include "hip/testing/amd/observer.hpp"
#include "hip/testing/amd/program.hpp"

namespace isovmaf::amd {

/// In which order work groups, and the waves of a group between two barriers, begin.
enum class Order : std::uint8_t { forward, reverse, shuffle };

struct Settings {
    Order order = Order::forward;
    std::uint64_t seed = 0; ///< of the order `shuffle`
    unsigned threads = 1;   ///< that work groups are spread over
    Approximation approximation = Approximation::exact;

    /// Ends a kernel that depends on bits that nobody wrote, that has a race, or that does not wait for a load. Memory
    /// should be watched. Work groups run one after the other.
    bool strict = false;

    /// Null, or what sees every instruction. Work groups run one after the other then.
    Observer *observer = nullptr;
};

struct Launch {
    const Kernel *kernel = nullptr;
    std::array<std::uint32_t, 3> groups{}, size{};
    std::vector<std::byte> arguments; ///< the explicit part of the kernel argument segment

    /// The number of the launch in a timeline of all work on the same memory, or 0 and null.
    std::uint32_t run = 0;
    const Timeline *timeline = nullptr;
};

/// The waves of a work group.
std::size_t wave_count(const Launch &launch);

/// Runs a kernel to its end. Throws Fault if it does what it may not, or what the executor does not know.
void execute(const Program &program, const Launch &launch, Memory &memory, const Settings &settings);

/// The arguments of a launch from pointers to their values.
std::vector<std::byte> gather_arguments(const Kernel &kernel, void *const *values);

} // namespace isovmaf::amd
