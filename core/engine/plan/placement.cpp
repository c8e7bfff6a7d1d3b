// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/placement.hpp"

#include <fmt/format.h>

#include "device/backend_names.hpp"

namespace isovmaf {

Result<Placement> place(const EnginePlan &plan, const BackendWish &wish, const Obstacle &obstacle) {
    Placement placement;
    for (std::size_t e = 0; e < plan.features.size(); e++) {
        const PlannedFeature &planned = plan.features[e];
        placement.obstacles.push_back(wish.device.empty() ? "" : obstacle(planned));
        const bool on_cpu = wish.device.empty() || !placement.obstacles.back().empty();
        if (on_cpu && wish.cpu.empty())
            return fail(ErrorCode::unavailable,
                        fmt::format("backend {} cannot run feature {}: {}; leave the feature out, or let the CPU run "
                                    "it: backend {},{}",
                                    wish.device, planned.feature->name, placement.obstacles.back(), wish.device,
                                    cpu_backend));
        (on_cpu ? placement.on_cpu : placement.on_device).push_back(e);
    }
    return placement;
}

} // namespace isovmaf
