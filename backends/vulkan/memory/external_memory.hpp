// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "vulkan/device/features.hpp"
#include "vulkan/memory/memory.hpp"

namespace isovmaf::vulkan {

/// Imports memory that another API exported, as a buffer for `usage`. Throws FailedOutcome.
[[nodiscard]] Memory import_external(const Api &api, VkPhysicalDevice device, const Capabilities &capabilities,
                                     const Allocator &allocator, const isovmaf_external_memory &external,
                                     VkBufferUsageFlags usage);

} // namespace isovmaf::vulkan
