// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/memory/memory.hpp"

#include <initializer_list>

#include <gtest/gtest.h>

namespace isovmaf::vulkan {
namespace {

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                mapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

VkPhysicalDeviceMemoryProperties memory(std::initializer_list<VkMemoryPropertyFlags> types) {
    VkPhysicalDeviceMemoryProperties memory{};
    for (const VkMemoryPropertyFlags flags : types)
        memory.memoryTypes[memory.memoryTypeCount++].propertyFlags = flags;
    return memory;
}

constexpr std::uint32_t all = ~0u;

TEST(VulkanMemoryType, ADiscreteGpuHasATypeForEachUse) {
    const auto types = memory({0, local, mapped, mapped | cached, local | mapped});
    EXPECT_EQ(choose_memory_type(types, all, MemoryUse::device), 1u);
    EXPECT_EQ(choose_memory_type(types, all, MemoryUse::upload), 3u);
    EXPECT_EQ(choose_memory_type(types, all, MemoryUse::readback), 3u);
    EXPECT_EQ(choose_memory_type(types, all, MemoryUse::shared), 3u);
    EXPECT_EQ(choose_memory_type(types, all, MemoryUse::arguments), 4u);
}

TEST(VulkanMemoryType, SharedMemoryIsCachedAndLocalWhereThereIsSuchMemory) {
    EXPECT_EQ(choose_memory_type(memory({local, mapped | cached, local | mapped | cached}), all, MemoryUse::shared),
              2u);
    EXPECT_EQ(choose_memory_type(memory({local | mapped, mapped | cached}), all, MemoryUse::shared), 1u);
    EXPECT_EQ(choose_memory_type(memory({mapped, local | mapped}), all, MemoryUse::shared), 1u);
}

TEST(VulkanMemoryType, OnlyIntegratedGpusAndCpusShareTheHostsMemory) {
    constexpr VkPhysicalDeviceType integrated = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    EXPECT_TRUE(shares_memory(integrated, memory({local, local | mapped})));
    EXPECT_TRUE(shares_memory(VK_PHYSICAL_DEVICE_TYPE_CPU, memory({local | mapped | cached})));
    EXPECT_FALSE(shares_memory(integrated, memory({local, mapped | cached}))) << "no type is both";
    EXPECT_FALSE(shares_memory(integrated, memory({local | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}))) << "not coherent";
    EXPECT_FALSE(shares_memory(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, memory({local | mapped})));
}

TEST(VulkanMemoryType, OneTypeServesAllUses) {
    const auto types = memory({local | mapped | cached});
    for (const MemoryUse use :
         {MemoryUse::device, MemoryUse::upload, MemoryUse::readback, MemoryUse::shared, MemoryUse::arguments})
        EXPECT_EQ(choose_memory_type(types, all, use), 0u) << static_cast<int>(use);
}

TEST(VulkanMemoryType, OnlyAllowedTypesThatNeedNoFeatureAreChosen) {
    constexpr VkMemoryPropertyFlags guarded = VK_MEMORY_PROPERTY_PROTECTED_BIT;
    const auto types = memory({local | guarded, local, local | mapped});
    EXPECT_EQ(choose_memory_type(types, all, MemoryUse::device), 1u);
    EXPECT_EQ(choose_memory_type(types, 0b101, MemoryUse::device), 2u);
    EXPECT_EQ(choose_memory_type(types, 0b001, MemoryUse::device), std::nullopt);
}

TEST(VulkanMemoryType, MappedMemoryIsCoherent) {
    constexpr VkMemoryPropertyFlags incoherent = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | cached;
    const auto types = memory({local, incoherent, mapped});
    EXPECT_EQ(choose_memory_type(types, all, MemoryUse::readback), 2u);
}

} // namespace
} // namespace isovmaf::vulkan
