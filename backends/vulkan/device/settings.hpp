// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace isovmaf::vulkan {

enum class Validation : std::uint8_t { off, on, gpu };

/// Settings from environment variables (docs/backends/vulkan.md).
struct Settings {
    Validation validation = Validation::off;    ///< ISOVMAF_VULKAN_VALIDATION
    std::set<std::string, std::less<>> without; ///< ISOVMAF_VULKAN_WITHOUT: features that are treated as lacking

    bool operator==(const Settings &) const = default;
};

/// Throws FailedOutcome: UNAVAILABLE when a variable has an unknown value.
[[nodiscard]] Settings read_settings();

} // namespace isovmaf::vulkan
