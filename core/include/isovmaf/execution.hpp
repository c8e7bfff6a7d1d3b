// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isovmaf {

/// Where and by which code one feature is computed.
struct FeaturePlacement {
    std::string feature = {}; ///< its name
    std::string backend = {}; ///< "cpu", "cpu-ref", or the plugin's name
    std::string code = {};    ///< "definition", the instruction set of a CPU path such as "avx2", or "kernels"
    std::string reason = {};  ///< why the session's device does not run it, as the end of a sentence; else empty
};

/// What one feature did on the device.
struct FeatureWork {
    std::string feature = {};  ///< its name
    std::int64_t launches = 0; ///< kernel launches for the frames that are done
    double milliseconds = 0;   ///< device time; 0 unless SessionOptions::device_timing
    std::int64_t flagged = 0;  ///< frames that kernels left to the feature's definition on the CPU
};

/// Memory that a session uses on its device, in bytes. Memory that is cached for reuse counts as reserved only.
struct DeviceMemory {
    std::uint64_t allocated = 0;      ///< in use
    std::uint64_t allocated_peak = 0; ///< the most that was in use at a time
    std::uint64_t reserved = 0;       ///< in use or cached
    std::uint64_t reserved_peak = 0;  ///< the most that was in use or cached at a time
    std::uint64_t pinned = 0;         ///< host memory
};

/// Where a session runs, and the launch counts that prove it.
struct Execution {
    std::string backend = "cpu";                  ///< "cpu", "cpu-ref", or the plugin's name
    std::string reason = {};                      ///< one sentence: why this backend was taken
    std::string plugin = {};                      ///< its file; this and the texts below are empty without a device
    std::string build_id = {};                    ///< of the plugin
    std::string device = {};                      ///< its name
    std::string arch = {};                        ///< what its kernels are compiled for: "gfx942", "sm_90"
    std::string pci_id = {};                      ///< "0000:c1:00.0"
    std::string runtime = {};                     ///< library and version
    std::string driver = {};                      ///< version
    int frames_in_flight = 0;                     ///< that are computed at a time, at most
    int queues = 0;                               ///< compute queues; 0 without a device
    std::vector<FeaturePlacement> placement = {}; ///< of every feature
    std::vector<FeatureWork> work = {};           ///< of the features on the device
    DeviceMemory memory = {};                     ///< all 0 without a device
    std::vector<std::string> notices = {};        ///< what a user should know, a sentence each
    std::int64_t fetched = 0;                     ///< copies to the host of frames in device memory
};

} // namespace isovmaf
