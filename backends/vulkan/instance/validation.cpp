// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/instance/validation.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace isovmaf::vulkan {

namespace {

constexpr const char *layer_name = "VK_LAYER_KHRONOS_validation";

VkBool32 VKAPI_PTR on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                              const VkDebugUtilsMessengerCallbackDataEXT *data, void *messages) {
    static_cast<ValidationMessages *>(messages)->add(data->pMessage);
    return VK_FALSE; // the call that caused the message continues
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(ValidationMessages &messages) {
    auto info = structure<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    info.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT; // without the loader's messages about drivers
    info.pfnUserCallback = on_message;
    info.pUserData = &messages;
    return info;
}

bool is_installed() {
    std::uint32_t count = 0;
    check(vkEnumerateInstanceLayerProperties(&count, nullptr), "listing Vulkan's layers");
    std::vector<VkLayerProperties> layers(count);
    check(vkEnumerateInstanceLayerProperties(&count, layers.data()), "listing Vulkan's layers");
    return std::ranges::any_of(layers, [](const auto &layer) { return !std::strcmp(layer.layerName, layer_name); });
}

} // namespace

ValidationMessages::~ValidationMessages() {
    if (first_.empty() || reported_)
        return;
    std::fprintf(stderr, "the Vulkan validation layer says: %s\n", first_.c_str());
    std::abort();
}

void ValidationMessages::add(const char *message) {
    const std::lock_guard lock(mutex_);
    if (first_.empty()) {
        first_ = message && *message ? message : "(an empty message)";
        std::ranges::replace(first_, '\n', ' '); // a message of the plugin contract has one line
    }
    any_.store(true, std::memory_order_release);
}

void ValidationMessages::require_none() {
    if (!any())
        return;
    const std::lock_guard lock(mutex_);
    reported_ = true;
    throw FailedOutcome(ISOVMAF_FAILED, fmt::format("the Vulkan validation layer says: {}", first_));
}

ValidationLayer::ValidationLayer(Validation validation, ValidationMessages &messages)
    : on_(validation != Validation::off), messenger_(messenger_info(messages)) {
    if (!on_)
        return;
    if (!is_installed())
        throw FailedOutcome(ISOVMAF_UNAVAILABLE,
                            fmt::format("ISOVMAF_VULKAN_VALIDATION is set, and there is no {}: install it "
                                        "(vulkan-validationlayers) or unset the variable",
                                        layer_name));
    checks_ = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    if (validation == Validation::gpu)
        checks_.insert(checks_.end(), {VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
                                       VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT});
    features_.pNext = &messenger_;
    features_.enabledValidationFeatureCount = static_cast<std::uint32_t>(checks_.size());
    features_.pEnabledValidationFeatures = checks_.data();
}

void ValidationLayer::extend(VkInstanceCreateInfo &info, std::vector<const char *> &extensions) const {
    if (!on_)
        return;
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer_name;
    info.pNext = &features_;
}

Messenger::Messenger(VkInstance instance, Validation validation, ValidationMessages &messages) : instance_(instance) {
    if (validation == Validation::off)
        return;
    destroy_ = vkDestroyDebugUtilsMessengerEXT;
    const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(messages);
    check(vkCreateDebugUtilsMessengerEXT(instance, &info, nullptr, &handle_), "listening to the validation layer");
}

Messenger::~Messenger() {
    if (handle_)
        destroy_(instance_, handle_, nullptr);
}

} // namespace isovmaf::vulkan
