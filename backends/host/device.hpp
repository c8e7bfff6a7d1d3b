// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "common/outcome.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::host {

using plugin::Outcome;

/// The kinds of operations that can be made to fail. `lost` loses the device, and counts copies and launches together.
enum class FaultKind { none, allocation, copy, launch, lost };

/// A failure that a test asks for: operation number `count` of a kind in this process fails.
struct Fault {
    FaultKind kind = FaultKind::none;
    std::uint64_t count = 0;

    /// Counts an operation of kind `of`. True if this operation has to fail.
    [[nodiscard]] bool is_due(FaultKind of) const;
};

/// The order in which the threads of a block run between two barriers. Correct kernels give the same result in any
/// order.
enum class LaneOrder { forward, reverse, shuffle };

/// Settings of the stand-in's devices, from environment variables.
struct Settings {
    std::uint32_t wave_width = 32;        ///< ISOVMAF_HOST_WAVE: 32 or 64
    LaneOrder order = LaneOrder::forward; ///< ISOVMAF_HOST_ORDER: forward, reverse or shuffle
    std::uint32_t threads = 1;            ///< ISOVMAF_HOST_THREADS: 1 to 256; by default as many as the CPU has
    std::uint32_t devices = 1;            ///< ISOVMAF_HOST_DEVICES: 1 to 8, all of them this CPU
    bool shares_memory = false;           ///< ISOVMAF_HOST_SHARED_MEMORY: 1: the device says that it shares memory
    bool matrices = false; ///< ISOVMAF_HOST_MATRICES: 1: the device has the kernels that multiply matrices
    Fault fault;           ///< ISOVMAF_HOST_FAIL
};

/// Reads the environment. The sentence of UNAVAILABLE names the variable that is wrong and its allowed values.
[[nodiscard]] Outcome read_settings(Settings &settings);

} // namespace isovmaf::host

struct isovmaf_device {
    const isovmaf::host::Settings settings;

    /// Never reset. Accessed relaxed, so that it does not order the accesses of queues that do not wait for each other.
    std::atomic<bool> lost{false};

    std::mutex statistics_mutex{};
    isovmaf_memory_statistics statistics{};
};

namespace isovmaf::host {

/// DEVICE_LOST when the device is lost.
[[nodiscard]] Outcome check_device(const isovmaf_device &device);

/// Memory of this machine.
[[nodiscard]] std::uint64_t memory_bytes();
[[nodiscard]] std::uint64_t memory_free_bytes();

} // namespace isovmaf::host
