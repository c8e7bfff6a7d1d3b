// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace isovmaf::vulkan {

enum class Validation : std::uint8_t { off, on, gpu };

/// What the environment asks for (docs/backends/vulkan.md).
struct Settings {
    Validation validation = Validation::off;    ///< ISOVMAF_VULKAN_VALIDATION
    std::set<std::string, std::less<>> without; ///< ISOVMAF_VULKAN_WITHOUT: features that devices are taken to lack

    bool operator==(const Settings &) const = default;
};

/// Throws FailedOutcome, UNAVAILABLE, on a value that means nothing.
[[nodiscard]] Settings read_settings();

} // namespace isovmaf::vulkan
