// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "isovmaf/backend.h"
#include "vulkan/handle.hpp"
#include "vulkan/memory/memory_type.hpp"

namespace isovmaf::vulkan {

struct Memory;

/// Allocates memory of a device. Every buffer is an allocation of its own. Thread-safe.
class Allocator {
  public:
    /// `families` are those of the queues that use the memory: one or two.
    Allocator(const Api &api, VkPhysicalDevice device, std::span<const std::uint32_t> families);

    /// Allocates `bytes` bytes for `usage`. The address on the device, and that on the host if the memory is mapped,
    /// are multiples of ISOVMAF_RANGE_ALIGNMENT. Throws FailedOutcome.
    [[nodiscard]] Memory allocate(MemoryUse use, std::uint64_t bytes, VkBufferUsageFlags usage);

    /// A buffer without memory, for all queues. `next` is the pNext chain of its VkBufferCreateInfo.
    [[nodiscard]] Buffer create_buffer(std::uint64_t bytes, VkBufferUsageFlags usage, const void *next = nullptr) const;

    [[nodiscard]] isovmaf_memory_statistics statistics() const;

  private:
    friend struct Memory;
    void count(bool on_device, std::uint64_t bytes);
    void discount(bool on_device, std::uint64_t bytes);

    const Api &api_;
    VkPhysicalDeviceMemoryProperties types_{};
    std::uint64_t largest_ = 0; ///< the largest allocation that the driver supports, in bytes
    std::vector<std::uint32_t> families_;
    mutable std::mutex mutex_;
    isovmaf_memory_statistics statistics_{};
};

/// A buffer of Vulkan with memory of its own.
struct Memory {
    Memory() = default;
    Memory(Memory &&other) noexcept;
    Memory &operator=(Memory &&) = delete;
    ~Memory();

    Allocator *allocator = nullptr;
    bool on_device = false;  ///< counted as device memory
    std::uint64_t bytes = 0; ///< size of the allocation
    DeviceMemory memory;     ///< destroyed after the buffer
    Buffer buffer;
    std::byte *host = nullptr;   ///< nullptr unless mapped
    VkDeviceAddress address = 0; ///< 0 unless the usage includes device addresses
};

} // namespace isovmaf::vulkan
