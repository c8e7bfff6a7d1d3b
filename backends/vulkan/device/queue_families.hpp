// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vulkan/api.hpp"

namespace isovmaf::vulkan {

/// Queues of one family.
struct QueueFamily {
    std::uint32_t index;
    std::uint32_t queues;         ///< how many of them the plugin uses
    std::uint32_t timestamp_bits; ///< 0: its queues have no timestamps
};

struct QueueFamilies {
    QueueFamily compute;                 ///< for kernels, and for copies if there is no transfer family
    std::optional<QueueFamily> transfer; ///< a family for copies only, which run beside kernels
};

[[nodiscard]] std::vector<VkQueueFamilyProperties> families_of(VkPhysicalDevice device);

/// Chooses for compute a family without graphics if there is one, then the one with most queues, then the first.
/// Chooses for transfers the first family that can copy and cannot compute, draw or process video. None if no family
/// computes.
[[nodiscard]] std::optional<QueueFamilies> choose_queue_families(std::span<const VkQueueFamilyProperties> families);

} // namespace isovmaf::vulkan
