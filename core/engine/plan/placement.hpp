// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/plan/feature_set.hpp"
#include "execution/execution.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// Where each feature of a plan runs, by the feature's number in the plan.
struct Placement {
    std::vector<std::size_t> on_device, on_cpu;
    std::vector<std::string> obstacles; ///< per feature: why the device cannot run it, or empty
};

/// Why the device cannot run a feature, as the end of a sentence: "it has no GPU kernels". Empty when it can.
using Obstacle = std::function<std::string(const PlannedFeature &)>;

/// Places every feature on the device that can run there, and the others on the CPU. Fails, naming the feature, when
/// the CPU was not asked for.
[[nodiscard]] Result<Placement> place(const EnginePlan &plan, const BackendWish &wish, const Obstacle &obstacle);

} // namespace isovmaf
