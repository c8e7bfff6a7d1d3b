// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "engine/plan/feature_set.hpp"
#include "engine/plan/placement.hpp"
#include "engine/schedule/cpu_scheduler.hpp"
#include "engine/schedule/dealing_scheduler.hpp"
#include "engine/schedule/gpu_scheduler.hpp"
#include "engine/schedule/map_files.hpp"
#include "execution/execution.hpp"

namespace isovmaf {

/// A session's scheduler, and where it runs which feature.
struct OpenedScheduler {
    std::vector<std::unique_ptr<MapFiles>> maps =
        {}; ///< of each feature on the CPU, null where it writes none; outlive the scheduler
    std::shared_ptr<CpuWorkers> workers; ///< null where the CPU does nothing
    std::unique_ptr<Scheduler> scheduler;
    std::vector<GpuScheduler *> gpus;   ///< the part on each device, which may be all that there is
    DealingScheduler *dealer = nullptr; ///< deals frames to several devices
    std::shared_ptr<WorkTimes> times;   ///< of the execution
    Placement placement;
    Execution execution; ///< without what changes while it runs

    [[nodiscard]] std::vector<DeviceHandle> devices() const;

    /// How many frames devices hold; 0 without one.
    [[nodiscard]] std::size_t frames_on_devices() const;

    /// Whether a kernel looks for samples above the bit depth in all pictures, as nothing on the CPU reads them before.
    [[nodiscard]] bool device_checks_samples() const {
        return !placement.on_device.empty() && placement.on_cpu.empty();
    }
};

/// Waits for the execution, places every feature where it allows, and opens what runs there. `members`: distorted
/// videos that share each reference. The scheduler uses the plan, which may be moved but not changed.
[[nodiscard]] Result<OpenedScheduler> open_scheduler(const SharedExecution &execution, const EnginePlan &plan,
                                                     std::size_t members = 1);

/// Closes the files of maps when all frames are done. Fails when what was written is lost.
[[nodiscard]] Result<void> close_maps(const OpenedScheduler &opened);

[[nodiscard]] Execution describe(const OpenedScheduler &opened, const EnginePlan &plan);

/// The earlier frames that the CPU may read: of the features that it runs, and of those whose kernels may leave a frame
/// to it.
[[nodiscard]] EarlierFrames earlier_on_cpu(const OpenedScheduler &opened, const EnginePlan &plan);

/// How many planes of a picture the CPU may read, of the same features.
[[nodiscard]] int planes_on_cpu(const OpenedScheduler &opened, const EnginePlan &plan);

/// The first feature that should have launched kernels and launched none. `work` is that of the features `on_device`.
/// `extracted`: for each feature of the plan the frames on which it ran with all the earlier frames that it reads. A
/// feature without stages computes nothing and may launch nothing, unless every feature on the device ran and none
/// launched anything.
[[nodiscard]] std::optional<std::size_t> idle_feature(const EnginePlan &plan, std::span<const std::size_t> on_device,
                                                      const std::vector<GpuWork> &work,
                                                      std::span<const std::int64_t> extracted);

/// Fails when there is such a feature. Call it when all frames are done.
[[nodiscard]] Result<void> check_work(const OpenedScheduler &opened, const EnginePlan &plan,
                                      std::span<const std::int64_t> extracted);

} // namespace isovmaf
