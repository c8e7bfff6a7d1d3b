// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/memory/memory.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

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

/// Shared memory is preferably cached for the host, which hashes frames in it and runs features on them.
constexpr Preference for_sharing[] = {
    {mapped | cached | local, 0}, {mapped | cached, 0}, {mapped | local, 0}, {mapped, 0}};

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

std::uint64_t largest_allocation(VkPhysicalDevice device) {
    auto limits =
        structure<VkPhysicalDeviceMaintenance3Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
    auto properties = structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &limits;
    vkGetPhysicalDeviceProperties2(device, &properties);
    return limits.maxMemoryAllocationSize;
}

const char *name_of(MemoryUse use) {
    switch (use) {
    case MemoryUse::device:
        return "device memory";
    case MemoryUse::shared:
        return "memory that host and device share";
    default:
        return "host memory";
    }
}

bool has_local_mapped_type(const VkPhysicalDeviceMemoryProperties &memory) {
    return std::ranges::any_of(std::span(memory.memoryTypes, memory.memoryTypeCount), [](const VkMemoryType &type) {
        return (type.propertyFlags & (mapped | local)) == (mapped | local);
    });
}

bool is_aligned(std::uint64_t address) { return address % ISOVMAF_RANGE_ALIGNMENT == 0; }

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

bool shares_memory(VkPhysicalDeviceType type, const VkPhysicalDeviceMemoryProperties &memory) {
    return (type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU || type == VK_PHYSICAL_DEVICE_TYPE_CPU) &&
           has_local_mapped_type(memory);
}

Allocator::Allocator(const Api &api, VkPhysicalDevice device, std::span<const std::uint32_t> families)
    : api_(api), largest_(largest_allocation(device)), families_(families.begin(), families.end()) {
    vkGetPhysicalDeviceMemoryProperties(device, &types_);
}

Buffer Allocator::create_buffer(std::uint64_t bytes, VkBufferUsageFlags usage, const void *next) const {
    auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.pNext = next;
    info.size = bytes;
    info.usage = usage;
    if (families_.size() > 1) {
        info.sharingMode = VK_SHARING_MODE_CONCURRENT;
        info.queueFamilyIndexCount = static_cast<std::uint32_t>(families_.size());
        info.pQueueFamilyIndices = families_.data();
    }
    return create<Buffer>(api_, &VolkDeviceTable::vkCreateBuffer, info,
                          fmt::format("creating a buffer of {} bytes", bytes));
}

Memory Allocator::allocate(MemoryUse use, std::uint64_t bytes, VkBufferUsageFlags usage) {
    if (bytes > largest_)
        throw FailedOutcome(ISOVMAF_OUT_OF_MEMORY,
                            fmt::format("{} bytes of {} are requested, and the driver allocates at most {} at once",
                                        bytes, name_of(use), largest_));
    Memory memory;
    memory.buffer = create_buffer(bytes, usage);
    VkMemoryRequirements needs;
    api_.call.vkGetBufferMemoryRequirements(api_.device, memory.buffer.get(), &needs);
    const std::optional<std::uint32_t> type = choose_memory_type(types_, needs.memoryTypeBits, use);
    if (!type)
        throw FailedOutcome(ISOVMAF_UNSUPPORTED, fmt::format("the device has no {}", name_of(use)));
    const std::uint64_t heap = types_.memoryHeaps[types_.memoryTypes[*type].heapIndex].size;
    if (needs.size > heap)
        throw FailedOutcome(ISOVMAF_OUT_OF_MEMORY, fmt::format("{} bytes of {} are requested, and the device has {}",
                                                               needs.size, name_of(use), heap));

    auto flags = structure<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    auto info = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    const bool addressed = usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    info.pNext = addressed ? &flags : nullptr;
    info.allocationSize = needs.size;
    info.memoryTypeIndex = *type;
    memory.memory = create<DeviceMemory>(api_, &VolkDeviceTable::vkAllocateMemory, info,
                                         fmt::format("allocating {} bytes of {}", needs.size, name_of(use)));
    memory.on_device = use == MemoryUse::device;
    memory.bytes = needs.size;
    memory.allocator = this;
    count(memory.on_device, memory.bytes);

    check(api_.call.vkBindBufferMemory(api_.device, memory.buffer.get(), memory.memory.get(), 0),
          fmt::format("binding {} bytes of {}", needs.size, name_of(use)));
    if (!memory.on_device) {
        void *host = nullptr;
        check(api_.call.vkMapMemory(api_.device, memory.memory.get(), 0, VK_WHOLE_SIZE, 0, &host),
              fmt::format("mapping {} bytes of {}", needs.size, name_of(use)));
        memory.host = static_cast<std::byte *>(host);
    }
    if (addressed) {
        auto where = structure<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
        where.buffer = memory.buffer.get();
        memory.address = api_.call.vkGetBufferDeviceAddress(api_.device, &where);
    }
    if (!is_aligned(memory.address) || !is_aligned(reinterpret_cast<std::uintptr_t>(memory.host)))
        throw FailedOutcome(ISOVMAF_UNSUPPORTED,
                            fmt::format("the driver allocated {} at an address that is no multiple of {} bytes",
                                        name_of(use), ISOVMAF_RANGE_ALIGNMENT));
    return memory;
}

isovmaf_memory_statistics Allocator::statistics() const {
    const std::lock_guard lock(mutex_);
    return statistics_;
}

void Allocator::count(bool on_device, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    statistics_.allocations++;
    if (!on_device) {
        statistics_.pinned_bytes += bytes;
        return;
    }
    statistics_.allocated_bytes += bytes;
    statistics_.allocated_peak_bytes = std::max(statistics_.allocated_peak_bytes, statistics_.allocated_bytes);
    statistics_.reserved_bytes = statistics_.allocated_bytes; // the plugin keeps no freed memory
    statistics_.reserved_peak_bytes = statistics_.allocated_peak_bytes;
}

void Allocator::discount(bool on_device, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (!on_device) {
        statistics_.pinned_bytes -= bytes;
        return;
    }
    statistics_.allocated_bytes -= bytes;
    statistics_.reserved_bytes = statistics_.allocated_bytes;
}

Memory::Memory(Memory &&other) noexcept
    : allocator(std::exchange(other.allocator, nullptr)), on_device(other.on_device), bytes(other.bytes),
      memory(std::move(other.memory)), buffer(std::move(other.buffer)), host(other.host), address(other.address) {}

Memory::~Memory() {
    if (allocator)
        allocator->discount(on_device, bytes);
}

} // namespace isovmaf::vulkan
