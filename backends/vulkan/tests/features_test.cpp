// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/device/features.hpp"

#include <cstring>

#include <gmock/gmock.h>

namespace isovmaf::vulkan {
namespace {

using ::testing::ElementsAre;

/// A device with shaderInt64 and 64-bit atomics, and no other feature.
void VKAPI_PTR offer_little(VkPhysicalDevice, VkPhysicalDeviceFeatures2 *features) {
    features->features.shaderInt64 = VK_TRUE;
    for (auto *next = static_cast<VkBaseOutStructure *>(features->pNext); next; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
            reinterpret_cast<VkPhysicalDeviceVulkan12Features *>(next)->shaderBufferInt64Atomics = VK_TRUE;
}

/// A device with one extension.
VkResult VKAPI_PTR offer_descriptors(VkPhysicalDevice, const char *, std::uint32_t *count,
                                     VkExtensionProperties *extensions) {
    *count = 1;
    if (extensions)
        std::strcpy(extensions->extensionName, "VK_KHR_external_memory_fd");
    return VK_SUCCESS;
}

VkPhysicalDeviceProperties properties(std::uint32_t version) {
    VkPhysicalDeviceProperties properties{};
    properties.apiVersion = version;
    properties.limits.maxComputeWorkGroupInvocations = properties.limits.maxComputeWorkGroupSize[0] = 1024;
    properties.limits.maxComputeSharedMemorySize = 16384;
    return properties;
}

TEST(VulkanFeatures, EverythingMissingIsNamed) {
    vkGetPhysicalDeviceFeatures2 = offer_little;
    vkEnumerateDeviceExtensionProperties = offer_descriptors;
    const Capabilities found = capabilities_of(VK_NULL_HANDLE, properties(VK_API_VERSION_1_3), {});
    EXPECT_THAT(found.missing,
                ElementsAre("shaderInt16", "shaderInt8", "storageBuffer8BitAccess", "storageBuffer16BitAccess",
                            "bufferDeviceAddress", "timelineSemaphore", "uniformBufferStandardLayout",
                            "maxComputeSharedMemorySize 32768 (it has 16384)"));
    EXPECT_TRUE(found.int64_atomics);
    EXPECT_THAT(found.lacking, ElementsAre());
    EXPECT_TRUE(found.has_extension("VK_KHR_external_memory_fd"));
    EXPECT_FALSE(found.has_extension("VK_EXT_external_memory_dma_buf"));
}

TEST(VulkanFeatures, FeaturesThatSettingsTakeAwayAreMissing) {
    vkGetPhysicalDeviceFeatures2 = offer_little;
    vkEnumerateDeviceExtensionProperties = offer_descriptors;
    const Settings settings{Validation::off, {"shaderInt64", "shaderBufferInt64Atomics", "VK_KHR_external_memory_fd"}};
    const Capabilities found = capabilities_of(VK_NULL_HANDLE, properties(VK_API_VERSION_1_2), settings);
    EXPECT_EQ(found.missing.front(), "shaderInt64");
    EXPECT_FALSE(found.int64_atomics);
    EXPECT_FALSE(found.has_extension("VK_KHR_external_memory_fd"));
    Features features;
    enable_features(found, features);
    EXPECT_FALSE(features.v12.shaderBufferInt64Atomics);
    EXPECT_TRUE(features.v12.timelineSemaphore);
}

TEST(VulkanFeatures, OldVersionsAreNotAskedForFeatures) {
    vkGetPhysicalDeviceFeatures2 = nullptr;
    EXPECT_THAT(capabilities_of(VK_NULL_HANDLE, properties(VK_API_VERSION_1_1), {}).missing,
                ElementsAre("Vulkan 1.2 (it has 1.1)"));
}

} // namespace
} // namespace isovmaf::vulkan
