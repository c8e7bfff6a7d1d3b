// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "common/device_loss.hpp"
#include "vulkan/features.hpp"
#include "vulkan/pipelines.hpp"
#include "vulkan/placements.hpp"
#include "vulkan/queue_families.hpp"

namespace isovmaf::vulkan {

/// Owns the device of an Api.
struct OpenDevice {
    OpenDevice(VkPhysicalDevice device, const Capabilities &capabilities, const QueueFamilies &families);
    OpenDevice(const OpenDevice &) = delete;
    OpenDevice &operator=(const OpenDevice &) = delete;
    ~OpenDevice();

    Api api;
};

/// One thread at a time submits to a queue of Vulkan; several queues of the contract share it.
struct SubmitQueue {
    VkQueue handle = VK_NULL_HANDLE;
    std::mutex mutex;
};

/// A semaphore that counts up, and how far it was asked to.
struct Timeline {
    Semaphore semaphore;
    std::uint64_t last = 0;
};

/// A device of Vulkan with its queues and compiled kernels: what takes long to make. All who open a device in a process
/// share it, and with it addresses and loss. Thread-safe.
class LogicalDevice {
  public:
    /// Throws FailedOutcome: UNSUPPORTED when the device lacks something essential.
    LogicalDevice(VkPhysicalDevice device, const Settings &settings);
    LogicalDevice(const LogicalDevice &) = delete;
    LogicalDevice &operator=(const LogicalDevice &) = delete;
    ~LogicalDevice();

    [[nodiscard]] const Api &api() const { return open_.api; }
    [[nodiscard]] VkPhysicalDevice physical() const { return physical_; }
    [[nodiscard]] const VkPhysicalDeviceLimits &limits() const { return properties_.limits; }
    [[nodiscard]] const QueueFamilies &families() const { return families_; }
    [[nodiscard]] const Capabilities &capabilities() const { return capabilities_; }
    [[nodiscard]] Placements &placements() { return placements_; }
    [[nodiscard]] Pipelines &pipelines() { return pipelines_; }
    [[nodiscard]] plugin::DeviceLoss &device_loss() { return device_loss_; }

    /// A queue of a family in `families`; equal for numbers that are equal modulo how many there are.
    [[nodiscard]] SubmitQueue &submit_queue(std::uint32_t family, std::uint32_t number);
    [[nodiscard]] std::uint32_t next_queue_number() { return queue_number_++; }

    /// Timelines are used again by later queues: a submission of another queue may still refer to one whose own work
    /// has ended.
    [[nodiscard]] Timeline take_timeline();
    void give_back(Timeline timeline);

  private:
    VkPhysicalDevice physical_;
    VkPhysicalDeviceProperties properties_;
    QueueFamilies families_;
    Capabilities capabilities_;
    OpenDevice open_;
    Placements placements_;
    Pipelines pipelines_;
    std::map<std::uint32_t, std::vector<std::unique_ptr<SubmitQueue>>> submit_queues_; ///< by family
    std::atomic<std::uint32_t> queue_number_{0};
    std::mutex timelines_mutex_;
    std::vector<Timeline> timelines_; ///< not in use
    plugin::DeviceLoss device_loss_;
};

} // namespace isovmaf::vulkan
