// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "common/outcome.hpp"
#include "vulkan/device/features.hpp"
#include "vulkan/device/queues.hpp"
#include "vulkan/shaders/pipelines.hpp"

namespace isovmaf::vulkan {

/// A position in a buffer of Vulkan.
struct Place {
    VkBuffer buffer = VK_NULL_HANDLE;
    std::uint64_t offset = 0;
    bool external = false; ///< in memory that another API exported
};

/// Finds the buffer for a device address: callers pass addresses, and Vulkan's commands need buffers. Thread-safe.
class Placements {
  public:
    void add(VkDeviceAddress address, std::uint64_t bytes, const Place &place);
    void remove(VkDeviceAddress address);

    /// Throws FailedOutcome: INVALID unless all of the bytes lie in one buffer.
    [[nodiscard]] Place find(VkDeviceAddress address, std::uint64_t bytes) const;

  private:
    struct Placed {
        std::uint64_t bytes;
        Place place;
    };

    mutable std::mutex mutex_;
    std::map<VkDeviceAddress, Placed> placed_;
};

/// Creates the VkDevice of an Api, and destroys it.
struct OpenDevice {
    OpenDevice(VkPhysicalDevice device, const Capabilities &capabilities, const QueueFamilies &families);
    OpenDevice(const OpenDevice &) = delete;
    OpenDevice &operator=(const OpenDevice &) = delete;
    ~OpenDevice();

    Api api;
};

/// A timeline semaphore, and the highest value that a submission raises it to.
struct Timeline {
    Semaphore semaphore;
    std::uint64_t last = 0;
};

/// A VkDevice with its queues and compiled kernels, which take long to create. All users of a device in a process share
/// it: addresses are valid for all of them, and a device loss affects all of them. Thread-safe.
class LogicalDevice {
  public:
    /// Throws FailedOutcome: UNSUPPORTED when the device lacks an essential feature.
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

    /// The queues of a family in `families`.
    [[nodiscard]] SubmitQueues &submit_queues(std::uint32_t family) { return submit_queues_.at(family); }

    /// A timeline for a new queue: an unused one that a destroyed queue gave back, else a new one. Timelines are not
    /// destroyed with their queue, because a submission of another queue may still refer to them.
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
    std::map<std::uint32_t, SubmitQueues> submit_queues_; ///< by family
    std::mutex timelines_mutex_;
    std::vector<Timeline> timelines_; ///< those that no queue uses
    plugin::DeviceLoss device_loss_;
};

} // namespace isovmaf::vulkan
