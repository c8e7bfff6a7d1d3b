// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>

#include "isovmaf/backend.h"
#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

/// The type of memory that a buffer of a kind gets, of those that `allowed` has bits for; none when no type fits.
/// Mapped memory is coherent always, which every device has: host and device see each other's writes without a call.
[[nodiscard]] std::optional<std::uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties &memory,
                                                              std::uint32_t allowed, isovmaf_memory kind);

} // namespace isovmaf::vulkan
