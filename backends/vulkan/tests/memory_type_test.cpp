// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/memory_type.hpp"

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

TEST(VulkanMemoryType, ADiscreteGpuHasOneForEachKind) {
    const auto types = memory({0, local, mapped, mapped | cached, local | mapped});
    EXPECT_EQ(choose_memory_type(types, all, ISOVMAF_MEMORY_DEVICE), 1u);
    EXPECT_EQ(choose_memory_type(types, all, ISOVMAF_MEMORY_UPLOAD), 2u);
    EXPECT_EQ(choose_memory_type(types, all, ISOVMAF_MEMORY_READBACK), 3u);
    EXPECT_EQ(choose_memory_type(types, all, ISOVMAF_MEMORY_SHARED), 3u);
}

TEST(VulkanMemoryType, OneTypeServesAllKinds) {
    const auto types = memory({local | mapped | cached});
    for (const isovmaf_memory kind :
         {ISOVMAF_MEMORY_DEVICE, ISOVMAF_MEMORY_UPLOAD, ISOVMAF_MEMORY_READBACK, ISOVMAF_MEMORY_SHARED})
        EXPECT_EQ(choose_memory_type(types, all, kind), 0u) << kind;
}

TEST(VulkanMemoryType, OnlyWhatTheBufferAllowsAndNoFeatureGuards) {
    constexpr VkMemoryPropertyFlags guarded = VK_MEMORY_PROPERTY_PROTECTED_BIT;
    const auto types = memory({local | guarded, local, local | mapped});
    EXPECT_EQ(choose_memory_type(types, all, ISOVMAF_MEMORY_DEVICE), 1u);
    EXPECT_EQ(choose_memory_type(types, 0b101, ISOVMAF_MEMORY_DEVICE), 2u);
    EXPECT_EQ(choose_memory_type(types, 0b001, ISOVMAF_MEMORY_DEVICE), std::nullopt);
}

TEST(VulkanMemoryType, MappedMemoryIsCoherent) {
    constexpr VkMemoryPropertyFlags incoherent = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | cached;
    const auto types = memory({local, incoherent, mapped});
    EXPECT_EQ(choose_memory_type(types, all, ISOVMAF_MEMORY_READBACK), 2u);
}

} // namespace
} // namespace isovmaf::vulkan
