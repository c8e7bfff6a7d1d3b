// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/queue_families.hpp"

#include <algorithm>

namespace isovmaf::vulkan {

namespace {

/// More submissions than this do not run side by side, and each queue costs memory of the driver.
constexpr std::uint32_t most_queues = 8;

constexpr VkQueueFlags video = 0x20 | 0x40; // VK_QUEUE_VIDEO_DECODE_BIT_KHR, VK_QUEUE_VIDEO_ENCODE_BIT_KHR

bool only_copies(const VkQueueFamilyProperties &family) {
    return (family.queueFlags & VK_QUEUE_TRANSFER_BIT) &&
           !(family.queueFlags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | video));
}

} // namespace

std::vector<VkQueueFamilyProperties> families_of(VkPhysicalDevice device) {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    return families;
}

std::optional<QueueFamilies> choose_queue_families(std::span<const VkQueueFamilyProperties> families) {
    std::optional<QueueFamily> compute, transfer;
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < families.size(); i++) {
        const VkQueueFamilyProperties &family = families[i];
        const QueueFamily candidate{i, std::min(family.queueCount, most_queues), family.timestampValidBits};
        if ((family.queueFlags & VK_QUEUE_COMPUTE_BIT) && family.queueCount > most) {
            compute = candidate;
            most = family.queueCount;
        }
        if (!transfer && only_copies(family) && family.queueCount > 0)
            transfer = candidate;
    }
    if (!compute)
        return {};
    return QueueFamilies{*compute, transfer};
}

} // namespace isovmaf::vulkan
