// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/memory/memory_type.hpp"

#include <span>

#include <fmt/format.h>

#include "vulkan/failure.hpp"

namespace isovmaf::vulkan {

namespace {

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
                                mapped = visible | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// The properties that chosen memory may have. Others need features that are not enabled.
constexpr VkMemoryPropertyFlags known = local | mapped | cached;

struct Preference {
    VkMemoryPropertyFlags required, excluded;
};

/// Device memory that the host can map is often a small window only, so memory that it cannot map comes first.
constexpr Preference for_device[] = {{local, visible}, {local, 0}};

/// Copies read uploads over the bus. The host writes cached memory a quarter faster than uncached memory, and both
/// faster than device memory (docs/research/vulkan.md).
constexpr Preference for_upload[] = {{mapped | cached, local}, {mapped, local}, {mapped, 0}};

/// The host reads uncached memory many times slower than cached memory.
constexpr Preference for_readback[] = {{mapped | cached, local}, {mapped | cached, 0}, {mapped, 0}};

constexpr Preference for_sharing[] = {{mapped | cached, 0}, {mapped, 0}};

/// Arguments are written once and read by every block of every launch, so they lie in device memory if the host can map
/// any.
constexpr Preference for_arguments[] = {{mapped | local, 0}, {mapped, 0}};

/// The best first.
std::span<const Preference> preferences_of(MemoryUse use) {
    switch (use) {
    case MemoryUse::device:
        return for_device;
    case MemoryUse::upload:
        return for_upload;
    case MemoryUse::readback:
        return for_readback;
    case MemoryUse::shared:
        return for_sharing;
    case MemoryUse::arguments:
        return for_arguments;
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
    for (const Preference &preference : preferences_of(use))
        for (std::uint32_t i = 0; i < memory.memoryTypeCount; i++) {
            const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
            if ((allowed >> i & 1) && (flags & preference.required) == preference.required &&
                !(flags & preference.excluded) && !(flags & ~known))
                return i;
        }
    return {};
}

} // namespace isovmaf::vulkan
