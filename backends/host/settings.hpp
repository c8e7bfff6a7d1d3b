// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

#include "common/outcome.hpp"
#include "host/fault.hpp"

namespace isovmaf::host {

using plugin::Outcome;

/// In which order the threads of a block run between two barriers. What is right does not depend on it.
enum class LaneOrder { forward, reverse, shuffle };

/// What the environment says of the device that the CPU plays.
struct Settings {
    std::uint32_t wave_width = 32;        ///< ISOVMAF_HOST_WAVE: 32 or 64
    LaneOrder order = LaneOrder::forward; ///< ISOVMAF_HOST_ORDER: forward, reverse or shuffle
    std::uint32_t threads = 1;            ///< ISOVMAF_HOST_THREADS: 1 to 256; the default is all the CPU has
    Fault fault;                          ///< ISOVMAF_HOST_FAIL
};

/// Reads the environment. UNAVAILABLE names the variable that is wrong and what it may be.
[[nodiscard]] Outcome read_settings(Settings &settings);

} // namespace isovmaf::host
