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
#include "vulkan/memory_type.hpp"

namespace isovmaf::vulkan {

struct Memory;

/// Where a device's memory comes from: every buffer is an allocation of its own. Thread-safe.
class Allocator {
  public:
    /// `families` are those of the queues that use the memory: one or two.
    Allocator(const Api &api, VkPhysicalDevice device, std::span<const std::uint32_t> families);

    /// `bytes` bytes for `usage`, at a multiple of ISOVMAF_RANGE_ALIGNMENT for device and, if mapped, host. Throws
    /// FailedOutcome.
    [[nodiscard]] Memory allocate(MemoryUse use, std::uint64_t bytes, VkBufferUsageFlags usage);

    /// A buffer without memory, for all queues. `next` continues its description.
    [[nodiscard]] Buffer create_buffer(std::uint64_t bytes, VkBufferUsageFlags usage, const void *next = nullptr) const;

    [[nodiscard]] isovmaf_memory_statistics statistics() const;

  private:
    friend struct Memory;
    void count(bool on_device, std::uint64_t bytes);
    void discount(bool on_device, std::uint64_t bytes);

    const Api &api_;
    VkPhysicalDeviceMemoryProperties types_{};
    std::uint64_t largest_ = 0; ///< bytes that the driver allocates at once
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
    std::uint64_t bytes = 0; ///< that it takes
    DeviceMemory memory;     ///< outlives the buffer
    Buffer buffer;
    std::byte *host = nullptr;   ///< nullptr unless mapped
    VkDeviceAddress address = 0; ///< 0 unless its usage has one
};

} // namespace isovmaf::vulkan
