// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "host/settings.hpp"
#include "isovmaf/backend.h"

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
