// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/backend.h"
#include "vulkan/instance.hpp"

namespace isovmaf::vulkan {

[[nodiscard]] bool has_device_extension(VkPhysicalDevice device, const char *name);

/// Throws FailedOutcome.
[[nodiscard]] isovmaf_runtime_info describe_runtime(const Instance &instance);
[[nodiscard]] isovmaf_device_info describe_device(const Instance &instance, VkPhysicalDevice device);

} // namespace isovmaf::vulkan
