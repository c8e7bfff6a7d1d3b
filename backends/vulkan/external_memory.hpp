// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "vulkan/features.hpp"
#include "vulkan/memory.hpp"

namespace isovmaf::vulkan {

/// A buffer over memory that another API exported, for `usage`. Throws FailedOutcome.
[[nodiscard]] Memory import_external(const Api &api, VkPhysicalDevice device, const Capabilities &capabilities,
                                     const Allocator &allocator, const isovmaf_external_memory &external,
                                     VkBufferUsageFlags usage);

} // namespace isovmaf::vulkan
