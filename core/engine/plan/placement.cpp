// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/placement.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "device/backend_names.hpp"

namespace isovmaf {

namespace {

std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> names;
    for (;;) {
        const std::size_t comma = list.find(',');
        names.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos)
            return names;
        list.remove_prefix(comma + 1);
    }
}

tl::unexpected<Error> refuse(std::string_view text, std::string_view why) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("backend {}: {}: give auto, cpu, cpu-ref, a plugin's name, or a plugin's name and a CPU's "
                            "as in \"hip,cpu\"",
                            quote(text), why));
}

} // namespace

Result<BackendWish> parse_backend(std::string_view text) {
    if (text == auto_backend)
        return BackendWish{std::string(auto_backend), std::string(cpu_backend)};
    BackendWish wish;
    for (std::string &name : names_in(text)) {
        if (name.empty())
            return refuse(text, "a name is missing");
        if (name == auto_backend)
            return refuse(text, "auto stands alone");
        std::string &place = runs_without_plugin(name) ? wish.cpu : wish.device;
        if (!place.empty())
            return refuse(text, fmt::format("a session uses {} or {}, not both", quote(place), quote(name)));
        place = std::move(name);
    }
    return wish;
}

Result<Placement> place(const EnginePlan &plan, const BackendWish &wish, const Obstacle &obstacle) {
    Placement placement;
    for (std::size_t e = 0; e < plan.features.size(); e++) {
        const PlannedFeature &planned = plan.features[e];
        placement.obstacles.push_back(wish.device.empty() ? "" : obstacle(planned.plan));
        const bool on_cpu = wish.device.empty() || !placement.obstacles.back().empty();
        if (on_cpu && wish.cpu.empty())
            return fail(ErrorCode::unsupported,
                        fmt::format("backend {} cannot run feature {}: {}; leave the feature out, or let the CPU run "
                                    "it: backend {},{}",
                                    wish.device, planned.feature->name, placement.obstacles.back(), wish.device,
                                    cpu_backend));
        (on_cpu ? placement.on_cpu : placement.on_device).push_back(e);
    }
    return placement;
}

} // namespace isovmaf
