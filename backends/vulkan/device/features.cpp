// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/features.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isovmaf::vulkan {

namespace {

enum class Need { essential, optional };

struct Feature {
    const char *name;
    Need need;
    VkBool32 &(*of)(Features &features);
};

#define ISOVMAF_VULKAN_FEATURE(need, structure, name)                                                                  \
    Feature {                                                                                                          \
#name, Need::need, [](Features & features) -> VkBool32 & { return features.structure.name; }                   \
    }

constexpr Feature features_asked_for[] = {
    ISOVMAF_VULKAN_FEATURE(essential, core.features, shaderInt64),
    ISOVMAF_VULKAN_FEATURE(essential, core.features, shaderInt16),
    ISOVMAF_VULKAN_FEATURE(essential, v12, shaderInt8),
    ISOVMAF_VULKAN_FEATURE(essential, v12, storageBuffer8BitAccess),
    ISOVMAF_VULKAN_FEATURE(essential, v11, storageBuffer16BitAccess),
    ISOVMAF_VULKAN_FEATURE(essential, v12, bufferDeviceAddress),
    ISOVMAF_VULKAN_FEATURE(essential, v12, timelineSemaphore),
    ISOVMAF_VULKAN_FEATURE(essential, v12, uniformBufferStandardLayout),
    ISOVMAF_VULKAN_FEATURE(optional, v12, shaderBufferInt64Atomics),
};

#undef ISOVMAF_VULKAN_FEATURE

/// Kernels have up to 1024 threads and 32 KiB of shared memory.
struct Limit {
    const char *name;
    std::uint32_t least;
    std::uint32_t (*of)(const VkPhysicalDeviceLimits &limits);
};

constexpr Limit limits_asked_for[] = {
    {"maxComputeWorkGroupInvocations", 1024,
     [](const VkPhysicalDeviceLimits &limits) { return limits.maxComputeWorkGroupInvocations; }},
    {"maxComputeWorkGroupSize", 1024,
     [](const VkPhysicalDeviceLimits &limits) { return limits.maxComputeWorkGroupSize[0]; }},
    {"maxComputeSharedMemorySize", 32768,
     [](const VkPhysicalDeviceLimits &limits) { return limits.maxComputeSharedMemorySize; }},
};

/// Extensions for importing memory of other APIs. Nothing else uses them.
constexpr const char *extensions_asked_for[] = {
    VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
    VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
};

bool is_optional(const Feature &feature) { return feature.need == Need::optional; }

} // namespace

bool has_device_extension(VkPhysicalDevice device, const char *name) {
    std::uint32_t count = 0;
    check(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr), "listing a device's extensions");
    std::vector<VkExtensionProperties> extensions(count);
    check(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data()),
          "listing a device's extensions");
    return std::ranges::any_of(extensions, [&](const auto &each) { return !std::strcmp(each.extensionName, name); });
}

Capabilities capabilities_of(VkPhysicalDevice device, const VkPhysicalDeviceProperties &properties,
                             const Settings &settings) {
    Capabilities capabilities;
    if (properties.apiVersion < VK_API_VERSION_1_2) { // its features cannot even be asked for
        capabilities.missing.push_back(fmt::format("Vulkan 1.2 (it has {}.{})",
                                                   VK_API_VERSION_MAJOR(properties.apiVersion),
                                                   VK_API_VERSION_MINOR(properties.apiVersion)));
        return capabilities;
    }
    Features offered;
    vkGetPhysicalDeviceFeatures2(device, &offered.core);
    for (const Feature &feature : features_asked_for)
        if (!feature.of(offered) || settings.without.contains(feature.name))
            (is_optional(feature) ? capabilities.lacking : capabilities.missing).emplace_back(feature.name);
    for (const Limit &limit : limits_asked_for) {
        const std::uint32_t value = settings.without.contains(limit.name) ? 0 : limit.of(properties.limits);
        if (value < limit.least)
            capabilities.missing.push_back(fmt::format("{} {} (it has {})", limit.name, limit.least, value));
    }
    capabilities.int64_atomics =
        std::ranges::find(capabilities.lacking, "shaderBufferInt64Atomics") == capabilities.lacking.end();
    std::ranges::copy_if(extensions_asked_for, std::back_inserter(capabilities.extensions), [&](const char *name) {
        return !settings.without.contains(name) && has_device_extension(device, name);
    });
    return capabilities;
}

void enable_features(const Capabilities &capabilities, Features &features) {
    for (const Feature &feature : features_asked_for)
        if (std::ranges::find(capabilities.lacking, feature.name) == capabilities.lacking.end())
            feature.of(features) = VK_TRUE;
}

std::vector<std::string_view> requirement_names() {
    std::vector<std::string_view> names;
    std::ranges::transform(features_asked_for, std::back_inserter(names), &Feature::name);
    std::ranges::transform(limits_asked_for, std::back_inserter(names), &Limit::name);
    std::ranges::copy(extensions_asked_for, std::back_inserter(names));
    return names;
}

bool is_requirement(std::string_view name) {
    const std::vector<std::string_view> names = requirement_names();
    return std::ranges::find(names, name) != names.end();
}

namespace {

std::string variable(const char *name) {
    const char *const value = std::getenv(name);
    return value ? value : "";
}

Validation read_validation() {
    const std::string value = variable("ISOVMAF_VULKAN_VALIDATION");
    if (value.empty() || value == "0")
        return Validation::off;
    if (value == "1")
        return Validation::on;
    if (value == "gpu")
        return Validation::gpu;
    throw FailedOutcome(ISOVMAF_UNAVAILABLE,
                        fmt::format("ISOVMAF_VULKAN_VALIDATION is '{}' and may be 0, 1 or gpu", value));
}

std::set<std::string, std::less<>> read_without() {
    std::set<std::string, std::less<>> without;
    std::istringstream list(variable("ISOVMAF_VULKAN_WITHOUT"));
    for (std::string name; std::getline(list, name, ',');) {
        if (!is_requirement(name))
            throw FailedOutcome(ISOVMAF_UNAVAILABLE, fmt::format("ISOVMAF_VULKAN_WITHOUT names '{}' and may name {}",
                                                                 name, fmt::join(requirement_names(), ", ")));
        without.insert(name);
    }
    return without;
}

} // namespace

Settings read_settings() { return {read_validation(), read_without()}; }

} // namespace isovmaf::vulkan
