// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vulkan/validation.hpp"

namespace isovmaf::vulkan {

/// Vulkan as this process sees it. It lives while somebody uses it, so that nothing is left when the plugin goes.
class Instance {
  public:
    /// The one in use, else a new one. Throws Failure: UNAVAILABLE says what is missing.
    [[nodiscard]] static std::shared_ptr<Instance> get();

    Instance(const Instance &) = delete;
    Instance &operator=(const Instance &) = delete;
    ~Instance();

    /// Those with a queue for compute; at least one. Processors of the CPU's kind come last.
    [[nodiscard]] std::span<const VkPhysicalDevice> devices() const { return devices_; }

    [[nodiscard]] const Settings &settings() const { return settings_; }
    [[nodiscard]] ValidationMessages &messages() { return messages_; }
    [[nodiscard]] const std::string &loader() const { return loader_; } ///< its file

  private:
    Instance();

    std::string loader_;
    Settings settings_;
    ValidationMessages messages_;
    ValidationLayer layer_;
    VkInstance handle_ = VK_NULL_HANDLE;
    PFN_vkDestroyInstance destroy_ = nullptr;
    std::optional<Messenger> messenger_;
    std::vector<VkPhysicalDevice> devices_;
};

} // namespace isovmaf::vulkan
