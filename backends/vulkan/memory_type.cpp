// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/memory_type.hpp"

#include <span>

namespace isovmaf::vulkan {

namespace {

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                                mapped = visible | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// All that memory of any kind may have: other properties need features that are not enabled.
constexpr VkMemoryPropertyFlags known = local | mapped | cached;

struct Wish {
    VkMemoryPropertyFlags with, without;
};

/// Memory that the host sees too is often a small window of the device's.
constexpr Wish device_wishes[] = {{local, visible}, {local, 0}};

/// The host writes in order and never reads, so it needs no cache; copies fetch over the bus.
constexpr Wish upload_wishes[] = {{mapped, cached | local}, {mapped, local}, {mapped, 0}};

/// The host reads: without a cache that takes many times as long.
constexpr Wish readback_wishes[] = {{mapped | cached, local}, {mapped | cached, 0}, {mapped, 0}};

constexpr Wish shared_wishes[] = {{mapped | cached, 0}, {mapped, 0}};

/// In order of preference.
std::span<const Wish> wishes_of(isovmaf_memory kind) {
    switch (kind) {
    case ISOVMAF_MEMORY_DEVICE:
        return device_wishes;
    case ISOVMAF_MEMORY_UPLOAD:
        return upload_wishes;
    case ISOVMAF_MEMORY_READBACK:
        return readback_wishes;
    case ISOVMAF_MEMORY_SHARED:
        return shared_wishes;
    }
    return {};
}

} // namespace

std::optional<std::uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties &memory, std::uint32_t allowed,
                                                isovmaf_memory kind) {
    for (const Wish &wish : wishes_of(kind))
        for (std::uint32_t i = 0; i < memory.memoryTypeCount; i++) {
            const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
            if ((allowed >> i & 1) && (flags & wish.with) == wish.with && !(flags & wish.without) && !(flags & ~known))
                return i;
        }
    return {};
}

} // namespace isovmaf::vulkan
