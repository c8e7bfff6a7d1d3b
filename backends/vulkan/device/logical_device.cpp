// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/logical_device.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isovmaf::vulkan {

namespace {

constexpr float priority = 0.5f;

std::vector<VkDeviceQueueCreateInfo> queue_infos(const QueueFamilies &families, const std::vector<float> &priorities) {
    std::vector<VkDeviceQueueCreateInfo> infos;
    const auto add = [&](const QueueFamily &family) {
        auto info = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        info.queueFamilyIndex = family.index;
        info.queueCount = family.queues;
        info.pQueuePriorities = priorities.data();
        infos.push_back(info);
    };
    add(families.compute);
    if (families.transfer)
        add(*families.transfer);
    return infos;
}

VkPhysicalDeviceProperties properties_of(VkPhysicalDevice device) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    return properties;
}

/// Throws FailedOutcome: UNSUPPORTED when the device lacks an essential feature.
Capabilities sufficient(Capabilities capabilities, const VkPhysicalDeviceProperties &properties) {
    if (!capabilities.missing.empty())
        throw FailedOutcome(ISOVMAF_UNSUPPORTED,
                            fmt::format("{} lacks {}", properties.deviceName, fmt::join(capabilities.missing, ", ")));
    return capabilities;
}

} // namespace

void Placements::add(VkDeviceAddress address, std::uint64_t bytes, const Place &place) {
    const std::lock_guard lock(mutex_);
    placed_[address] = {bytes, place};
}

void Placements::remove(VkDeviceAddress address) {
    const std::lock_guard lock(mutex_);
    placed_.erase(address);
}

Place Placements::find(VkDeviceAddress address, std::uint64_t bytes) const {
    const std::lock_guard lock(mutex_);
    if (auto after = placed_.upper_bound(address); after != placed_.begin()) {
        const auto &[start, placed] = *std::prev(after);
        const std::uint64_t offset = address - start;
        if (offset < placed.bytes && bytes <= placed.bytes - offset)
            return {placed.place.buffer, placed.place.offset + offset, placed.place.external};
    }
    throw FailedOutcome(
        ISOVMAF_INVALID,
        fmt::format("{} bytes at {:#x} lie in no memory that this device holds or imported", bytes, address));
}

OpenDevice::OpenDevice(VkPhysicalDevice device, const Capabilities &capabilities, const QueueFamilies &families) {
    Features features;
    enable_features(capabilities, features);
    const std::vector<float> priorities(
        std::max(families.compute.queues, families.transfer ? families.transfer->queues : 0), priority);
    const std::vector<VkDeviceQueueCreateInfo> queues = queue_infos(families, priorities);
    std::vector<const char *> extensions = capabilities.extensions;
    if (has_device_extension(device, "VK_KHR_portability_subset")) // a device that has it requires it to be enabled
        extensions.push_back("VK_KHR_portability_subset");
    auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &features.core;
    info.queueCreateInfoCount = static_cast<std::uint32_t>(queues.size());
    info.pQueueCreateInfos = queues.data();
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    check(vkCreateDevice(device, &info, nullptr, &api.device), "opening the device");
    volkLoadDeviceTable(&api.call, api.device);
}

OpenDevice::~OpenDevice() { api.call.vkDestroyDevice(api.device, nullptr); }

LogicalDevice::LogicalDevice(VkPhysicalDevice device, const Settings &settings)
    : physical_(device), properties_(properties_of(device)), families_(*choose_queue_families(families_of(device))),
      capabilities_(sufficient(capabilities_of(device, properties_, settings), properties_)),
      open_(device, capabilities_, families_), pipelines_(open_.api, properties_, capabilities_.int64_atomics) {
    const auto add = [&](const QueueFamily &family, std::uint32_t index) {
        VkQueue queue = VK_NULL_HANDLE;
        api().call.vkGetDeviceQueue(api().device, family.index, index, &queue);
        submit_queues_[family.index].add(queue);
    };
    // The order is that of the speeds measured on an H200: docs/research/vulkan.md.
    for (std::uint32_t i = 0; i < families_.compute.queues; i++)
        add(families_.compute, i);
    if (families_.transfer)
        for (std::uint32_t i = families_.transfer->queues; i-- > 0;)
            add(*families_.transfer, i);
}

/// Waits although all tickets were waited for: a driver may still be executing code of a submission that has already
/// signalled its semaphore.
LogicalDevice::~LogicalDevice() { api().call.vkDeviceWaitIdle(api().device); }

Timeline LogicalDevice::take_timeline() {
    const std::lock_guard lock(timelines_mutex_);
    if (!timelines_.empty()) {
        Timeline timeline = std::move(timelines_.back());
        timelines_.pop_back();
        return timeline;
    }
    auto type = structure<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto info = structure<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    info.pNext = &type;
    return {create<Semaphore>(api(), &VolkDeviceTable::vkCreateSemaphore, info, "creating a semaphore"), 0};
}

void LogicalDevice::give_back(Timeline timeline) {
    const std::lock_guard lock(timelines_mutex_);
    timelines_.push_back(std::move(timeline));
}

} // namespace isovmaf::vulkan
