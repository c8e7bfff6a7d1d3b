// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isovmaf {

/// What one feature did on the device.
struct FeatureWork {
    std::string feature = {};
    std::int64_t launches = 0; ///< of kernels, over the frames that are done
    double milliseconds = 0;   ///< device time; 0 unless SessionOptions::device_timing
    std::int64_t flagged = 0;  ///< frames that kernels left to the feature's definition on the CPU
};

/// Memory that a session's device holds, in bytes. Cached memory counts as reserved, not as allocated.
struct DeviceMemory {
    std::uint64_t allocated = 0, allocated_peak = 0;
    std::uint64_t reserved = 0, reserved_peak = 0;
    std::uint64_t pinned = 0; ///< of the host
};

/// Where a session runs, and the proof that it ran there.
struct Execution {
    std::string backend = "cpu";
    std::string reason = {};   ///< why this backend, one sentence
    std::string plugin = {};   ///< file; empty on the CPU, like all that follows
    std::string build_id = {}; ///< of the plugin
    std::string device = {};   ///< name
    std::string arch = {};
    std::string pci_id = {};
    std::string runtime = {}; ///< library and version
    std::string driver = {};  ///< version
    int frames_in_flight = 0;
    int queues = 0; ///< that kernels run on; 0 on the CPU
    std::vector<FeatureWork> work = {};
    DeviceMemory memory = {};
    std::vector<std::string> notices = {}; ///< what had to give, a sentence each
};

} // namespace isovmaf
