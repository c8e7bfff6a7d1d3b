// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "vulkan/memory/memory.hpp"

#include <algorithm>
#include <bit>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace isovmaf::vulkan {

using plugin::require;

namespace {

/// A kind of descriptor in Vulkan's terms.
struct Kind {
    VkExternalMemoryHandleTypeFlagBits type;
    const char *extension;
    const char *name;
};

Kind kind_of(std::uint32_t kind) {
    switch (kind) {
    case ISOVMAF_EXTERNAL_OPAQUE_FD:
        return {VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                "an opaque descriptor"};
    case ISOVMAF_EXTERNAL_DMABUF:
        return {VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
                "a dma-buf"};
    default:
        throw FailedOutcome(ISOVMAF_INVALID, fmt::format("there is no external memory of kind {}", kind));
    }
}

/// A duplicate of the caller's descriptor: Vulkan takes over the descriptor that it imports.
class Descriptor {
  public:
    explicit Descriptor(int original) : fd_(fcntl(original, F_DUPFD_CLOEXEC, 0)) {
        if (fd_ < 0)
            throw FailedOutcome(ISOVMAF_INVALID, fmt::format("external memory's descriptor {} is not open", original));
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() {
        if (fd_ >= 0)
            (void)close(fd_);
    }

    [[nodiscard]] int get() const { return fd_; }
    void release() { fd_ = -1; } ///< Vulkan owns the descriptor now

  private:
    int fd_;
};

/// Throws FailedOutcome: INVALID when the descriptor is known to hold fewer bytes. Drivers do not check the size that
/// they are given; the system knows the sizes of files and dma-bufs.
void require_size(const Descriptor &descriptor, std::uint64_t bytes) {
    struct stat file {};
    if (fstat(descriptor.get(), &file) != 0)
        return;
    const off_t known = S_ISREG(file.st_mode) ? file.st_size : lseek(descriptor.get(), 0, SEEK_END);
    if (known > 0 && static_cast<std::uint64_t>(known) < bytes)
        throw FailedOutcome(ISOVMAF_INVALID,
                            fmt::format("{} bytes cannot be imported from a descriptor that has {}", bytes, known));
}

/// The driver's features for buffers in such memory. Throws FailedOutcome: UNSUPPORTED when the driver cannot import
/// them.
VkExternalMemoryFeatureFlags importable(VkPhysicalDevice device, const Kind &kind, VkBufferUsageFlags usage) {
    auto info = structure<VkPhysicalDeviceExternalBufferInfo>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO);
    info.usage = usage;
    info.handleType = kind.type;
    auto properties = structure<VkExternalBufferProperties>(VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES);
    vkGetPhysicalDeviceExternalBufferProperties(device, &info, &properties);
    const VkExternalMemoryFeatureFlags features = properties.externalMemoryProperties.externalMemoryFeatures;
    if (!(features & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT))
        throw FailedOutcome(ISOVMAF_UNSUPPORTED, fmt::format("the driver cannot import a buffer from {}", kind.name));
    return features;
}

/// The memory types as which a descriptor may be imported, one bit each.
std::uint32_t types_of(const Api &api, const Kind &kind, const Descriptor &descriptor,
                       const isovmaf_external_memory &external) {
    if (kind.type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT)
        return external.memory_type < VK_MAX_MEMORY_TYPES ? std::uint32_t{1} << external.memory_type : 0;
    auto properties = structure<VkMemoryFdPropertiesKHR>(VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR);
    const VkResult result = api.call.vkGetMemoryFdPropertiesKHR(api.device, kind.type, descriptor.get(), &properties);
    if (result == VK_ERROR_INVALID_EXTERNAL_HANDLE)
        throw FailedOutcome(ISOVMAF_INVALID,
                            fmt::format("descriptor {} is not {} that the device can import", external.fd, kind.name));
    check(result, fmt::format("asking for the memory types of descriptor {}", external.fd));
    return properties.memoryTypeBits;
}

/// The memory type as which the memory is imported: of the types that fit the buffer, preferably one of device memory.
std::uint32_t choose_type(VkPhysicalDevice device, std::uint32_t offered, const VkMemoryRequirements &needs,
                          const isovmaf_external_memory &external) {
    VkPhysicalDeviceMemoryProperties types;
    vkGetPhysicalDeviceMemoryProperties(device, &types);
    const std::uint32_t allowed = offered & needs.memoryTypeBits;
    if (!allowed)
        throw FailedOutcome(ISOVMAF_INVALID,
                            fmt::format("descriptor {} is memory of types {:#x}, and buffers may have types {:#x}",
                                        external.fd, offered, needs.memoryTypeBits));
    const auto lowest = static_cast<std::uint32_t>(std::countr_zero(allowed));
    return choose_memory_type(types, allowed, MemoryUse::device).value_or(lowest);
}

DeviceMemory allocate(const Api &api, const Memory &memory, std::uint32_t type, bool dedicated, const Kind &kind,
                      Descriptor &descriptor, const isovmaf_external_memory &external) {
    auto flags = structure<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    auto import = structure<VkImportMemoryFdInfoKHR>(VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    import.pNext = &flags;
    import.handleType = kind.type;
    import.fd = descriptor.get();
    auto dedicated_info = structure<VkMemoryDedicatedAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    dedicated_info.pNext = &import;
    dedicated_info.buffer = memory.buffer.get();
    auto info = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.pNext = dedicated ? static_cast<const void *>(&dedicated_info) : &import;
    info.allocationSize = external.bytes;
    info.memoryTypeIndex = type;
    VkDeviceMemory allocated = VK_NULL_HANDLE;
    const VkResult result = api.call.vkAllocateMemory(api.device, &info, nullptr, &allocated);
    const std::string attempted = fmt::format("importing {} bytes of descriptor {}", external.bytes, external.fd);
    if (result == VK_ERROR_INVALID_EXTERNAL_HANDLE)
        throw FailedOutcome(ISOVMAF_INVALID,
                            fmt::format("{} failed: it is not {} of this device and driver", attempted, kind.name));
    check(result, attempted);
    descriptor.release();
    return {api, allocated};
}

} // namespace

Memory import_external(const Api &api, VkPhysicalDevice device, const Capabilities &capabilities,
                       const Allocator &allocator, const isovmaf_external_memory &external, VkBufferUsageFlags usage) {
    const Kind kind = kind_of(external.kind);
    require(external.bytes > 0, "external memory has at least one byte");
    Descriptor descriptor(external.fd);
    if (!capabilities.has_extension(kind.extension))
        throw FailedOutcome(ISOVMAF_UNSUPPORTED,
                            fmt::format("the device cannot import {}: it has no {}", kind.name, kind.extension));
    const VkExternalMemoryFeatureFlags features = importable(device, kind, usage);
    require_size(descriptor, external.bytes);

    auto handles = structure<VkExternalMemoryBufferCreateInfo>(VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    handles.handleTypes = kind.type;
    Memory memory;
    memory.buffer = allocator.create_buffer(external.bytes, usage, &handles);
    VkMemoryRequirements needs;
    api.call.vkGetBufferMemoryRequirements(api.device, memory.buffer.get(), &needs);
    if (needs.size > external.bytes)
        throw FailedOutcome(ISOVMAF_INVALID,
                            fmt::format("an allocation of {} bytes cannot be imported: a buffer of that "
                                        "size takes {}",
                                        external.bytes, needs.size));
    const std::uint32_t type = choose_type(device, types_of(api, kind, descriptor, external), needs, external);
    const bool dedicated = external.dedicated || (features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT);
    memory.memory = allocate(api, memory, type, dedicated, kind, descriptor, external);
    check(api.call.vkBindBufferMemory(api.device, memory.buffer.get(), memory.memory.get(), 0), "binding memory");
    auto where = structure<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    where.buffer = memory.buffer.get();
    memory.address = api.call.vkGetBufferDeviceAddress(api.device, &where);
    return memory;
}

} // namespace isovmaf::vulkan
