// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>

#include "isovmaf/backend.h"
#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

/// What memory is for: the contract's kinds, and the arguments of kernels.
enum class MemoryUse : std::uint8_t { device, upload, readback, shared, arguments };

/// Throws FailedOutcome, INVALID, when the contract has no such kind.
[[nodiscard]] MemoryUse use_of(isovmaf_memory kind);

/// The type of memory that a buffer gets for its use, of those that `allowed` has bits for; none when no type fits.
/// Mapped memory is coherent always, which every device has: host and device see each other's writes without a call.
[[nodiscard]] std::optional<std::uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties &memory,
                                                              std::uint32_t allowed, MemoryUse use);

} // namespace isovmaf::vulkan
