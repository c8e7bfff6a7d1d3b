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

#include "vulkan/logical_device.hpp"
#include "vulkan/validation.hpp"

namespace isovmaf::vulkan {

/// Vulkan as this process sees it. One is kept when nobody uses it, and when the process ends: drivers of NVIDIA's can
/// be loaded some twenty times by a process, and then no more (driver 580).
class Instance {
  public:
    /// The one that there is, else a new one; also a new one in place of one that nobody uses and of which a validation
    /// message was heard, or for which the environment asked for other settings. Throws FailedOutcome: UNAVAILABLE says
    /// what is missing.
    [[nodiscard]] static std::shared_ptr<Instance> get();

    /// After a device was closed. With validation, devices are not kept when nobody uses the instance, so that what
    /// they leave behind is heard of; and the instance is not if a message was heard: without a call that could fail
    /// because of it, its end tells.
    static void let_go();

    Instance(const Instance &) = delete;
    Instance &operator=(const Instance &) = delete;
    ~Instance();

    /// Those with a queue for compute; at least one. Processors of the CPU's kind come last.
    [[nodiscard]] std::span<const VkPhysicalDevice> devices() const { return devices_; }

    /// The device of that index: the one that there is, else a new one; a new one also in place of one that was lost.
    /// It is kept when nobody uses it, since making it takes long, and goes with the instance. Throws FailedOutcome.
    [[nodiscard]] std::shared_ptr<LogicalDevice> open(std::uint32_t index);

    [[nodiscard]] const Settings &settings() const { return settings_; }
    [[nodiscard]] ValidationMessages &messages() { return messages_; }
    [[nodiscard]] const std::string &loader() const { return loader_; } ///< its file

  private:
    Instance();
    [[nodiscard]] static std::shared_ptr<Instance> idle();

    std::string loader_;
    Settings settings_;
    ValidationMessages messages_;
    ValidationLayer layer_;
    VkInstance handle_ = VK_NULL_HANDLE;
    PFN_vkDestroyInstance destroy_ = nullptr;
    std::optional<Messenger> messenger_;
    std::vector<VkPhysicalDevice> devices_;
    std::mutex open_mutex_; ///< guards what follows
    std::map<std::uint32_t, std::shared_ptr<LogicalDevice>> open_;
};

} // namespace isovmaf::vulkan
