// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <vector>

#include "device/device_list.hpp"

namespace isovmaf::batch {

/// Where one worker of a process computes.
struct WorkerPlace {
    ListedDevice device;
    int threads = 1; ///< of its sessions
};

/// `workers` workers for each device. They share `threads` threads, at least one each. A worker of a device needs few,
/// to copy pictures: beside workers of the CPU it has at most two.
[[nodiscard]] std::vector<WorkerPlace> place_workers(std::span<const ListedDevice> devices, int workers, int threads);

} // namespace isovmaf::batch
