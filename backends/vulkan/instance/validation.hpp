// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "vulkan/api.hpp"
#include "vulkan/device/features.hpp"

namespace isovmaf::vulkan {

/// The messages of the validation layer. After the first message every call on a device of the instance fails with it.
/// Thread-safe.
class ValidationMessages {
  public:
    ValidationMessages() = default;
    ValidationMessages(const ValidationMessages &) = delete;
    ValidationMessages &operator=(const ValidationMessages &) = delete;

    /// If a message was never reported to a caller, prints it on stderr and aborts the process.
    ~ValidationMessages();

    void add(const char *message);

    [[nodiscard]] bool any() const { return any_.load(std::memory_order_acquire); }

    /// Throws FailedOutcome: FAILED with the first message, if there is one.
    void require_none();

  private:
    std::atomic<bool> any_{false};
    std::mutex mutex_; ///< guards first_ and reported_
    std::string first_;
    bool reported_ = false; ///< to a caller
};

/// The parameters of vkCreateInstance that turn validation on. Not movable, because its structures point to each other.
class ValidationLayer {
  public:
    /// Throws FailedOutcome: UNAVAILABLE when validation is on and the layer is not installed. `messages` has to
    /// outlive the instance.
    ValidationLayer(Validation validation, ValidationMessages &messages);
    ValidationLayer(const ValidationLayer &) = delete;
    ValidationLayer &operator=(const ValidationLayer &) = delete;

    /// Adds layer, extension and structures to `info`, which refers to this object until the instance is created.
    void extend(VkInstanceCreateInfo &info, std::vector<const char *> &extensions) const;

  private:
    bool on_;
    std::vector<VkValidationFeatureEnableEXT> checks_;
    VkDebugUtilsMessengerCreateInfoEXT messenger_ =
        structure<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    VkValidationFeaturesEXT features_ = structure<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
};

/// Receives an instance's messages, except those of its creation and destruction: ValidationLayer's structures receive
/// these.
class Messenger {
  public:
    /// Does nothing when validation is off. Throws FailedOutcome.
    Messenger(VkInstance instance, Validation validation, ValidationMessages &messages);
    Messenger(const Messenger &) = delete;
    Messenger &operator=(const Messenger &) = delete;
    ~Messenger();

  private:
    VkInstance instance_;
    VkDebugUtilsMessengerEXT handle_ = VK_NULL_HANDLE;
    PFN_vkDestroyDebugUtilsMessengerEXT destroy_ = nullptr;
};

} // namespace isovmaf::vulkan
