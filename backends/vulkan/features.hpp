// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/failure.hpp"
#include "vulkan/settings.hpp"

/// What kernels and plugin ask of a device.
namespace isovmaf::vulkan {

/// The structures of features as Vulkan reads and writes them. Stays where it is: they point at each other.
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

/// A device held against the list of what is asked for.
struct Capabilities {
    std::vector<std::string> missing;     ///< essential, by name; empty: the device can be used
    std::vector<std::string> lacking;     ///< optional, by name
    bool int64_atomics = false;           ///< shaderBufferInt64Atomics: else kernels add in 32-bit halves
    std::vector<const char *> extensions; ///< to import memory with, as far as they are offered

    [[nodiscard]] bool has_extension(std::string_view name) const {
        return std::ranges::find(extensions, name) != extensions.end();
    }
};

/// What the device offers, less what `settings` takes away.
[[nodiscard]] Capabilities capabilities_of(VkPhysicalDevice device, const VkPhysicalDeviceProperties &properties,
                                           const Settings &settings);

/// Sets the essential features, and the optional ones in `capabilities`, for vkCreateDevice.
void enable_features(const Capabilities &capabilities, Features &features);

/// Names that ISOVMAF_VULKAN_WITHOUT takes.
[[nodiscard]] std::vector<std::string_view> requirement_names();
[[nodiscard]] bool is_requirement(std::string_view name);

} // namespace isovmaf::vulkan
