// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isovmaf/backend.h"
#include "vulkan/device/logical_device.hpp"
#include "vulkan/instance/validation.hpp"

namespace isovmaf::vulkan {

/// The VkInstance of this process, with its devices. It is kept when nobody uses it, until the process ends: a process
/// can load NVIDIA's driver only some twenty times (driver 580).
class Instance {
  public:
    /// The instance, which is created if there is none. An instance that nobody uses is replaced by a new one if the
    /// validation layer has reported a message, or if the environment now asks for other settings. Throws
    /// FailedOutcome: UNAVAILABLE says what is missing.
    [[nodiscard]] static std::shared_ptr<Instance> get();

    /// Has to be called after a device was closed. If validation is on and nobody uses the instance any more, its
    /// devices are destroyed, so that the layer reports objects that were left behind. After a validation message the
    /// idle instance is destroyed too; its destructor reports the message.
    static void device_closed();

    Instance(const Instance &) = delete;
    Instance &operator=(const Instance &) = delete;
    ~Instance();

    /// The devices with a queue for compute; at least one. CPUs come last.
    [[nodiscard]] std::span<const VkPhysicalDevice> devices() const { return devices_; }

    /// The device of that index, which is created if there is none or if it was lost. Creating a device takes long, so
    /// it is kept when nobody uses it, until the instance is destroyed. Throws FailedOutcome.
    [[nodiscard]] std::shared_ptr<LogicalDevice> open(std::uint32_t index);

    [[nodiscard]] const Settings &settings() const { return settings_; }
    [[nodiscard]] ValidationMessages &messages() { return messages_; }
    [[nodiscard]] const Loader &loader() const { return loader_; }

  private:
    Instance();
    [[nodiscard]] static std::shared_ptr<Instance> idle();

    Loader loader_;
    Settings settings_;
    ValidationMessages messages_;
    ValidationLayer layer_;
    VkInstance handle_ = VK_NULL_HANDLE;
    PFN_vkDestroyInstance destroy_ = nullptr;
    std::optional<Messenger> messenger_;
    std::vector<VkPhysicalDevice> devices_;
    std::mutex open_mutex_; ///< guards open_
    std::map<std::uint32_t, std::shared_ptr<LogicalDevice>> open_;
};

/// Throws FailedOutcome.
[[nodiscard]] isovmaf_runtime_info describe_runtime(const Instance &instance);
[[nodiscard]] isovmaf_device_info describe_device(const Instance &instance, VkPhysicalDevice device);

} // namespace isovmaf::vulkan
