// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isovmaf/api.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Where and how a session computes. Nothing in here changes a score.
struct ExecutionOptions {
    /// A plugin's name: its device runs all features. "cpu": the fastest code for the CPU. "cpu-ref": the definition of
    /// every feature. A plugin's name and one of these, as in "hip,cpu": the device runs the features that it can, the
    /// CPU the others. "auto": the same with a GPU if there is one, else "cpu".
    std::string backend = "cpu";
    /// Numbers of the backend's devices, counted from 0; empty: the first one that works. Several share the frames of a
    /// session: runs of frames are dealt to them in turn.
    std::vector<int> devices = {};
    bool all_devices = false; ///< every GPU of the backend, in place of `devices`
    std::vector<std::string> backend_folders =
        {};          ///< searched for plugins; ISOVMAF_BACKEND_DIR or the default if empty
    int threads = 0; ///< of the CPU; 0: one per processor
    /// The newest instruction set that code for the CPU uses: "scalar" (definitions), "sse4", "avx2", "avx512", "neon",
    /// "sve"; "auto": the newest that the processor has.
    std::string cpu_level = "auto";
    int frames_in_flight = 0;   ///< frames that are computed at a time; 0: as many as are useful and fit
    int device_queues = 0;      ///< that kernels run on; 0: as many as are useful
    bool device_timing = false; ///< measure the device time of every feature; scoring becomes a little slower

    /// Whether both ask for the same.
    friend bool operator==(const ExecutionOptions &, const ExecutionOptions &) = default;
};

class SharedExecution;

/// A place to compute: a device that passes its self-test, or the CPU. Sessions that are made with one handle share the
/// device and keep it open. The last copy of a handle waits until opening has ended. In a process that is forked
/// later, a handle of the CPU can be used, and one of a device fails.
using ExecutionHandle = std::shared_ptr<const SharedExecution>;

/// Starts to open the backend that is asked for. That may take a second, as the driver starts and the device is tested,
/// and happens on a thread of its own, beside what the caller does next. Session::create waits for it, and fails when
/// the backend cannot be had. Fails at once on options that are wrong by themselves.
[[nodiscard]] ISOVMAF_API Result<ExecutionHandle> open_execution(const ExecutionOptions &options);

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
    double milliseconds = 0;   ///< device time; 0 unless ExecutionOptions::device_timing
    std::int64_t flagged = 0;  ///< frames that kernels left to the feature's CPU path
};

/// Memory that a session, and those that share its device, use there, in bytes. Memory that is cached for reuse counts
/// as reserved only.
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
    std::string device = {};                      ///< its name; those of several have commas between them
    std::string arch = {};                        ///< what its kernels are compiled for: "gfx942", "sm_90"
    std::string pci_id = {};                      ///< "0000:c1:00.0"; likewise
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
