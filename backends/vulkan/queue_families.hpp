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
    std::uint32_t queues;         ///< how many are used
    std::uint32_t timestamp_bits; ///< 0: it has no clock
};

struct QueueFamilies {
    QueueFamily compute;                 ///< dispatches, and all else where there is no other
    std::optional<QueueFamily> transfer; ///< a family that only copies: beside kernels, not between them
};

[[nodiscard]] std::vector<VkQueueFamilyProperties> families_of(VkPhysicalDevice device);

/// Compute: the family with most queues, the first of equals. Transfer: the first that can copy and neither compute nor
/// draw nor work on video. None without a family for compute.
[[nodiscard]] std::optional<QueueFamilies> choose_queue_families(std::span<const VkQueueFamilyProperties> families);

} // namespace isovmaf::vulkan
