// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/settings.hpp"

#include <cstdlib>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vulkan/device/features.hpp"

namespace isovmaf::vulkan {

namespace {

std::string variable(const char *name) {
    const char *const value = std::getenv(name);
    return value ? value : "";
}

Validation read_validation() {
    const std::string value = variable("ISOVMAF_VULKAN_VALIDATION");
    if (value.empty() || value == "0")
        return Validation::off;
    if (value == "1")
        return Validation::on;
    if (value == "gpu")
        return Validation::gpu;
    throw FailedOutcome(ISOVMAF_UNAVAILABLE,
                        fmt::format("ISOVMAF_VULKAN_VALIDATION is '{}' and may be 0, 1 or gpu", value));
}

std::set<std::string, std::less<>> read_without() {
    std::set<std::string, std::less<>> without;
    std::istringstream list(variable("ISOVMAF_VULKAN_WITHOUT"));
    for (std::string name; std::getline(list, name, ',');) {
        if (!is_requirement(name))
            throw FailedOutcome(ISOVMAF_UNAVAILABLE, fmt::format("ISOVMAF_VULKAN_WITHOUT names '{}' and may name {}",
                                                                 name, fmt::join(requirement_names(), ", ")));
        without.insert(name);
    }
    return without;
}

} // namespace

Settings read_settings() { return {read_validation(), read_without()}; }

} // namespace isovmaf::vulkan
