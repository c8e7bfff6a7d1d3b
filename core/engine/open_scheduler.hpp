// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "engine/feature_set.hpp"
#include "engine/gpu_scheduler.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// A session's scheduler, and why it is that one.
struct OpenedScheduler {
    std::unique_ptr<Scheduler> scheduler;
    GpuScheduler *gpu = nullptr; ///< the same, when it runs on a device
    Execution execution;         ///< without what changes while it runs
};

/// Opens what the options ask for. Throws Failure; "auto" goes to the CPU when a feature has no kernels.
[[nodiscard]] OpenedScheduler open_scheduler(const SessionOptions &options, const EnginePlan &plan);

[[nodiscard]] Execution describe(const OpenedScheduler &opened, const EnginePlan &plan);

/// Fails when a device was to run every feature over `frames` frames and ran none. Motion alone has nothing to run on
/// the frames that it needs earlier ones for.
[[nodiscard]] Result<void> check_work(const OpenedScheduler &opened, const EnginePlan &plan, std::int64_t frames);

} // namespace isovmaf
