// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "isovmaf/backend.h"
#include "vulkan/api.hpp"
#include "vulkan/device/features.hpp"

namespace isovmaf::vulkan {

/// The purpose of memory: the kinds of the plugin contract, and the arguments of kernels.
enum class MemoryUse : std::uint8_t { device, upload, readback, shared, arguments };

/// Throws FailedOutcome: INVALID when the contract has no such kind.
[[nodiscard]] MemoryUse use_of(isovmaf_memory kind);

/// The best memory type for `use` among those whose bits are set in `allowed`; none when no type fits. Mapped memory is
/// always coherent, so host and device see each other's writes without a call. Every device has such memory.
[[nodiscard]] std::optional<std::uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties &memory,
                                                              std::uint32_t allowed, MemoryUse use);

/// Whether a device of this type has the host's memory: a discrete GPU may map its own for the host, over the bus.
[[nodiscard]] bool shares_memory(VkPhysicalDeviceType type, const VkPhysicalDeviceMemoryProperties &memory);

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

/// Imports memory that another API exported, as a buffer for `usage`. Throws FailedOutcome.
[[nodiscard]] Memory import_external(const Api &api, VkPhysicalDevice device, const Capabilities &capabilities,
                                     const Allocator &allocator, const isovmaf_external_memory &external,
                                     VkBufferUsageFlags usage);

} // namespace isovmaf::vulkan
