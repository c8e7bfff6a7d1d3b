// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>

#include "isovmaf/backend.h"
#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

/// The purpose of memory: the kinds of the plugin contract, and the arguments of kernels.
enum class MemoryUse : std::uint8_t { device, upload, readback, shared, arguments };

/// Throws FailedOutcome: INVALID when the contract has no such kind.
[[nodiscard]] MemoryUse use_of(isovmaf_memory kind);

/// The best memory type for `use` among those whose bits are set in `allowed`; none when no type fits. Mapped memory is
/// always coherent, so host and device see each other's writes without a call. Every device has such memory.
[[nodiscard]] std::optional<std::uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties &memory,
                                                              std::uint32_t allowed, MemoryUse use);

} // namespace isovmaf::vulkan
