// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/features.hpp"

#include <gmock/gmock.h>

namespace isovmaf::vulkan {
namespace {

using ::testing::ElementsAre;

/// Offers shaderInt64 and 64-bit atomics, and nothing else.
void VKAPI_PTR offer_little(VkPhysicalDevice, VkPhysicalDeviceFeatures2 *features) {
    features->features.shaderInt64 = VK_TRUE;
    for (auto *next = static_cast<VkBaseOutStructure *>(features->pNext); next; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
            reinterpret_cast<VkPhysicalDeviceVulkan12Features *>(next)->shaderBufferInt64Atomics = VK_TRUE;
}

VkPhysicalDeviceProperties properties(std::uint32_t version) {
    VkPhysicalDeviceProperties properties{};
    properties.apiVersion = version;
    properties.limits.maxComputeWorkGroupInvocations = properties.limits.maxComputeWorkGroupSize[0] = 1024;
    properties.limits.maxComputeSharedMemorySize = 16384;
    return properties;
}

TEST(VulkanFeatures, AllThatIsMissingIsNamed) {
    vkGetPhysicalDeviceFeatures2 = offer_little;
    const Capabilities found = capabilities_of(VK_NULL_HANDLE, properties(VK_API_VERSION_1_3), {});
    EXPECT_THAT(found.missing,
                ElementsAre("shaderInt16", "shaderInt8", "storageBuffer8BitAccess", "storageBuffer16BitAccess",
                            "bufferDeviceAddress", "timelineSemaphore", "uniformBufferStandardLayout",
                            "maxComputeSharedMemorySize 32768 (it has 16384)"));
    EXPECT_TRUE(found.int64_atomics);
    EXPECT_THAT(found.lacking, ElementsAre());
}

TEST(VulkanFeatures, WhatIsToBeDoneWithoutIsMissing) {
    vkGetPhysicalDeviceFeatures2 = offer_little;
    const Settings settings{Validation::off, {"shaderInt64", "shaderBufferInt64Atomics"}};
    const Capabilities found = capabilities_of(VK_NULL_HANDLE, properties(VK_API_VERSION_1_2), settings);
    EXPECT_EQ(found.missing.front(), "shaderInt64");
    EXPECT_FALSE(found.int64_atomics);
    Features features;
    enable_features(found, features);
    EXPECT_FALSE(features.v12.shaderBufferInt64Atomics);
    EXPECT_TRUE(features.v12.timelineSemaphore);
}

TEST(VulkanFeatures, OldVersionsAreNotAskedFurther) {
    vkGetPhysicalDeviceFeatures2 = nullptr;
    EXPECT_THAT(capabilities_of(VK_NULL_HANDLE, properties(VK_API_VERSION_1_1), {}).missing,
                ElementsAre("Vulkan 1.2 (it has 1.1)"));
}

} // namespace
} // namespace isovmaf::vulkan
