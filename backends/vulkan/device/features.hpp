// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/api.hpp"

/// The features that kernels and plugin need of a device.
namespace isovmaf::vulkan {

enum class Validation : std::uint8_t { off, on, gpu };

/// Settings from environment variables (docs/backends/vulkan.md).
struct Settings {
    Validation validation = Validation::off;    ///< ISOVMAF_VULKAN_VALIDATION
    std::set<std::string, std::less<>> without; ///< ISOVMAF_VULKAN_WITHOUT: features that are treated as lacking

    bool operator==(const Settings &) const = default;
};

/// Throws FailedOutcome: UNAVAILABLE when a variable has an unknown value.
[[nodiscard]] Settings read_settings();

/// The structures of features as Vulkan reads and writes them. Not movable, because the structures point to each other.
struct Features {
    Features() {
        core.pNext = &v11;
        v11.pNext = &v12;
    }
    Features(const Features &) = delete;
    Features &operator=(const Features &) = delete;

    VkPhysicalDeviceVulkan12Features v12 =
        structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceVulkan11Features v11 =
        structure<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    VkPhysicalDeviceFeatures2 core = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
};

/// What a device has and lacks of the needed features.
struct Capabilities {
    std::vector<std::string> missing;     ///< essential features that it lacks; none: the device can be used
    std::vector<std::string> lacking;     ///< optional features that it lacks
    bool int64_atomics = false;           ///< shaderBufferInt64Atomics; without it kernels add 32-bit halves
    std::vector<const char *> extensions; ///< those extensions for importing memory that the device has

    [[nodiscard]] bool has_extension(std::string_view name) const {
        return std::ranges::find(extensions, name) != extensions.end();
    }
};

[[nodiscard]] bool has_device_extension(VkPhysicalDevice device, const char *name);

/// The capabilities of the device without the features that `settings` names in `without`.
[[nodiscard]] Capabilities capabilities_of(VkPhysicalDevice device, const VkPhysicalDeviceProperties &properties,
                                           const Settings &settings);

/// Sets, for vkCreateDevice, the essential features and those optional ones that the device has.
void enable_features(const Capabilities &capabilities, Features &features);

/// The names that ISOVMAF_VULKAN_WITHOUT may contain.
[[nodiscard]] std::vector<std::string_view> requirement_names();
[[nodiscard]] bool is_requirement(std::string_view name);

} // namespace isovmaf::vulkan
