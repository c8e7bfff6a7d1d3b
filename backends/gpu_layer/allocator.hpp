// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "gpu_layer/api.hpp"
#include "isovmaf/backend.h"

namespace isovmaf::gpu {

/// Device memory that is kept for reuse instead of going back to the runtime, whose calls are slow and wait for the
/// device. Thread-safe; the device is the calling thread's in all functions but `statistics`.
///
/// Sizes are rounded up to a class, of which there are eight between a power of two and the next: a freed block serves
/// whatever is of its class, and at most an eighth of it lies idle.
class CachingAllocator {
  public:
    /// Without `caching`, memory goes back to the runtime at once.
    CachingAllocator(const Api &api, bool caching) : api_(api), caching_(caching) {}
    CachingAllocator(const CachingAllocator &) = delete;
    CachingAllocator &operator=(const CachingAllocator &) = delete;
    ~CachingAllocator() { trim(); }

    /// Throws FailedOutcome: OUT_OF_MEMORY after what is cached was given back and that did not help.
    [[nodiscard]] void *allocate(std::uint64_t bytes);

    /// Memory from `allocate`, which no work uses any more.
    void free(void *memory) noexcept;

    /// Gives cached memory back.
    void trim() noexcept;

    /// Of device memory; `pinned_bytes` stays 0.
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
