// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "common/outcome.hpp"
#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

using plugin::FailedOutcome;
using plugin::Outcome;

/// The status of the plugin contract that corresponds to a result of Vulkan.
[[nodiscard]] isovmaf_status status_of(VkResult result);

/// The result's name and number: "VK_ERROR_DEVICE_LOST (-4)".
[[nodiscard]] std::string result_text(VkResult result);

/// A failure whose sentence starts with `attempted`, such as "copying 64 bytes".
[[nodiscard]] FailedOutcome vulkan_failure(VkResult result, std::string_view attempted);

/// Throws a FailedOutcome unless Vulkan succeeded.
inline void check(VkResult result, std::string_view attempted) {
    if (result != VK_SUCCESS)
        throw vulkan_failure(result, attempted);
}

} // namespace isovmaf::vulkan
