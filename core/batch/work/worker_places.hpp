// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/device_list.hpp"

namespace isovmaf::batch {

/// Where one worker of a process computes.
struct WorkerPlace {
    ListedDevice device;
    int threads = 1;                  ///< of its sessions
    std::vector<int> processors = {}; ///< that its threads are bound to; empty: they are not bound
};

/// The part of this process among those of a host that share its devices and processors.
struct HostShare {
    int process = 0, processes = 1; ///< that share the devices
    int processor_share = 1;        ///< how many processes share the processors of this one
};

/// The devices of a process: those whose number is `process` modulo `processes`, and one that it shares with other
/// processes where there are fewer devices than processes. `devices` is not empty.
[[nodiscard]] std::vector<ListedDevice> devices_of(const HostShare &share, const std::vector<ListedDevice> &devices);

/// `workers` workers for each device. They share `threads` threads, at least one each. A worker of a device needs few,
/// to copy pictures: beside workers of the CPU it has at most two.
[[nodiscard]] std::vector<WorkerPlace> place_workers(std::span<const ListedDevice> devices, int workers, int threads);

} // namespace isovmaf::batch
