// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/backend.h"
#include "vulkan/instance/instance.hpp"

namespace isovmaf::vulkan {

/// Throws FailedOutcome.
[[nodiscard]] isovmaf_runtime_info describe_runtime(const Instance &instance);
[[nodiscard]] isovmaf_device_info describe_device(const Instance &instance, VkPhysicalDevice device);

} // namespace isovmaf::vulkan
