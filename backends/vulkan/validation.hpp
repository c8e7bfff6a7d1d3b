// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "vulkan/failure.hpp"
#include "vulkan/settings.hpp"

namespace isovmaf::vulkan {

/// What the validation layer says of the plugin's calls. The first message is a failure of every device of the
/// instance from then on. Thread-safe.
class ValidationMessages {
  public:
    ValidationMessages() = default;
    ValidationMessages(const ValidationMessages &) = delete;
    ValidationMessages &operator=(const ValidationMessages &) = delete;

    /// A message that nobody was told of ends the process, with the message on stderr: it came too late to be returned.
    ~ValidationMessages();

    void add(const char *message);

    [[nodiscard]] bool any() const { return any_.load(std::memory_order_acquire); }

    /// Throws FailedOutcome, FAILED, with the first message if there is one.
    void require_silence();

  private:
    std::atomic<bool> any_{false};
    std::mutex mutex_; ///< guards what follows
    std::string first_;
    bool told_ = false;
};

/// The parts of vkCreateInstance's parameters that turn validation on. Stays where it is: they point at each other.
class ValidationLayer {
  public:
    /// Throws FailedOutcome, UNAVAILABLE, when the layer is asked for and not installed. `messages` outlives the
    /// instance.
    ValidationLayer(Validation validation, ValidationMessages &messages);
    ValidationLayer(const ValidationLayer &) = delete;
    ValidationLayer &operator=(const ValidationLayer &) = delete;

    /// Adds layer, extension and structures, which are used until the instance is created.
    void extend(VkInstanceCreateInfo &info, std::vector<const char *> &extensions) const;

  private:
    bool on_;
    std::vector<VkValidationFeatureEnableEXT> checks_;
    VkDebugUtilsMessengerCreateInfoEXT messenger_ =
        structure<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    VkValidationFeaturesEXT features_ = structure<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
};

/// Hears messages of an instance between its creation and its destruction, which have structures of their own.
class Messenger {
  public:
    /// None when validation is off. Throws FailedOutcome.
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
