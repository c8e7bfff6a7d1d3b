// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/memory_type.hpp"

#include <span>

#include <fmt/format.h>

#include "vulkan/failure.hpp"

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

/// Copies fetch over the bus. With a cache the host writes a quarter faster (docs/research/vulkan.md); memory of the
/// device that the host writes to is slower for it than either.
constexpr Wish upload_wishes[] = {{mapped | cached, local}, {mapped, local}, {mapped, 0}};

/// The host reads: without a cache that takes many times as long.
constexpr Wish readback_wishes[] = {{mapped | cached, local}, {mapped | cached, 0}, {mapped, 0}};

constexpr Wish shared_wishes[] = {{mapped | cached, 0}, {mapped, 0}};

/// Written once and read by every block of every launch: not over the bus, where the device has a window at all.
constexpr Wish argument_wishes[] = {{mapped | local, 0}, {mapped, 0}};

/// In order of preference.
std::span<const Wish> wishes_of(MemoryUse use) {
    switch (use) {
    case MemoryUse::device:
        return device_wishes;
    case MemoryUse::upload:
        return upload_wishes;
    case MemoryUse::readback:
        return readback_wishes;
    case MemoryUse::shared:
        return shared_wishes;
    case MemoryUse::arguments:
        return argument_wishes;
    }
    return {};
}

} // namespace

MemoryUse use_of(isovmaf_memory kind) {
    switch (kind) {
    case ISOVMAF_MEMORY_DEVICE:
        return MemoryUse::device;
    case ISOVMAF_MEMORY_UPLOAD:
        return MemoryUse::upload;
    case ISOVMAF_MEMORY_READBACK:
        return MemoryUse::readback;
    case ISOVMAF_MEMORY_SHARED:
        return MemoryUse::shared;
    }
    throw FailedOutcome(ISOVMAF_INVALID, fmt::format("there is no memory of kind {}", static_cast<int>(kind)));
}

std::optional<std::uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties &memory, std::uint32_t allowed,
                                                MemoryUse use) {
    for (const Wish &wish : wishes_of(use))
        for (std::uint32_t i = 0; i < memory.memoryTypeCount; i++) {
            const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
            if ((allowed >> i & 1) && (flags & wish.with) == wish.with && !(flags & wish.without) && !(flags & ~known))
                return i;
        }
    return {};
}

} // namespace isovmaf::vulkan
