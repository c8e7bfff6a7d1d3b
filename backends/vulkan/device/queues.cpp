// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/queues.hpp"

#include <algorithm>
#include <utility>

namespace isovmaf::vulkan {

namespace {

/// Devices do not run more submissions than this side by side, and each queue costs memory of the driver.
constexpr std::uint32_t most_queues = 8;

constexpr VkQueueFlags video = 0x20 | 0x40; // VK_QUEUE_VIDEO_DECODE_BIT_KHR, VK_QUEUE_VIDEO_ENCODE_BIT_KHR

bool only_copies(const VkQueueFamilyProperties &family) {
    return (family.queueFlags & VK_QUEUE_TRANSFER_BIT) &&
           !(family.queueFlags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | video));
}

/// The larger the better. On NVIDIA's GPUs queues of a family with graphics run one after the other, those of a family
/// without graphics side by side. Of equal families the one with more queues is better.
std::pair<bool, std::uint32_t> preference(const VkQueueFamilyProperties &family) {
    return {!(family.queueFlags & VK_QUEUE_GRAPHICS_BIT), family.queueCount};
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
    for (std::uint32_t i = 0; i < families.size(); i++) {
        const VkQueueFamilyProperties &family = families[i];
        const QueueFamily candidate{i, std::min(family.queueCount, most_queues), family.timestampValidBits};
        if ((family.queueFlags & VK_QUEUE_COMPUTE_BIT) && family.queueCount > 0 &&
            (!compute || preference(family) > preference(families[compute->index])))
            compute = candidate;
        if (!transfer && only_copies(family) && family.queueCount > 0)
            transfer = candidate;
    }
    if (!compute)
        return {};
    return QueueFamilies{*compute, transfer};
}

void SubmitQueues::add(VkQueue queue) {
    queues_.push_back(std::make_unique<SubmitQueue>());
    queues_.back()->handle = queue;
}

SubmitQueue &SubmitQueues::acquire() {
    const std::lock_guard lock(mutex_);
    SubmitQueue &queue = **std::ranges::min_element(queues_, {}, [](const auto &each) { return each->users; });
    queue.users++;
    return queue;
}

void SubmitQueues::release(SubmitQueue &queue) {
    const std::lock_guard lock(mutex_);
    queue.users--;
}

} // namespace isovmaf::vulkan
