// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "gpu_layer/api.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::gpu {

/// Keeps freed device memory for reuse, because the runtime's own calls are slow and wait for the device. Thread-safe.
/// The device has to be the calling thread's current device in all functions but `statistics`.
///
/// A size is rounded up to a size class. There are eight classes between a power of two and the next. A freed block is
/// reused for any size of its class, so at most an eighth of a large block is unused.
class CachingAllocator {
  public:
    /// Without `caching`, freed memory goes back to the runtime at once, and sizes are not rounded: tools that watch the
    /// bounds of allocations see those of buffers.
    CachingAllocator(const Api &api, bool caching) : api_(api), caching_(caching) {}
    CachingAllocator(const CachingAllocator &) = delete;
    CachingAllocator &operator=(const CachingAllocator &) = delete;
    ~CachingAllocator() { trim(); }

    /// Throws FailedOutcome. With ISOVMAF_OUT_OF_MEMORY, giving cached memory back to the runtime did not help either.
    [[nodiscard]] void *allocate(std::uint64_t bytes);

    /// Takes back memory from `allocate` that no work on the device uses any more.
    void free(void *memory) noexcept;

    /// Gives cached memory back to the runtime.
    void trim() noexcept;

    /// Statistics of device memory; `pinned_bytes` is 0.
    [[nodiscard]] isovmaf_memory_statistics statistics() const;

    /// The size of the class that `bytes` > 0 falls into.
    [[nodiscard]] static std::uint64_t class_bytes(std::uint64_t bytes);

  private:
    [[nodiscard]] hipError_t reserve(std::uint64_t bytes, void *&memory);
    void trim_locked() noexcept;

    const Api &api_;
    bool caching_;
    mutable std::mutex mutex_;
    std::multimap<std::uint64_t, void *> cached_; ///< by size
    std::map<void *, std::uint64_t> allocated_;   ///< size of what is in use
    isovmaf_memory_statistics statistics_{};
};

} // namespace isovmaf::gpu
