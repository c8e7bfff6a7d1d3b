// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <span>

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

/// The first feature that should have launched kernels and launched none. `extracted`: for each feature the frames on
/// which it ran with all the earlier frames that it reads. A feature without stages computes nothing and may launch
/// nothing, unless every feature ran and none launched anything.
[[nodiscard]] std::optional<std::size_t> idle_feature(const EnginePlan &plan, const std::vector<GpuWork> &work,
                                                      std::span<const std::int64_t> extracted);

/// Fails when there is such a feature. Call it when all frames are done.
[[nodiscard]] Result<void> check_work(const OpenedScheduler &opened, const EnginePlan &plan,
                                      std::span<const std::int64_t> extracted);

} // namespace isovmaf
