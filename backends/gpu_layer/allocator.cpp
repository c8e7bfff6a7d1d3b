// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "gpu_layer/allocator.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "gpu_layer/api.hpp"

namespace isovmaf::gpu {

namespace {

constexpr std::uint64_t smallest_class = 512;
constexpr std::uint64_t classes_per_doubling = 8;

} // namespace

std::uint64_t CachingAllocator::class_bytes(std::uint64_t bytes) {
    const std::uint64_t step = std::max(std::bit_floor(bytes) / classes_per_doubling, smallest_class);
    return (bytes + step - 1) / step * step;
}

hipError_t CachingAllocator::reserve(std::uint64_t bytes, void *&memory) {
    const hipError_t error = api_.hipMalloc(&memory, bytes);
    statistics_.allocations++;
    if (error == hipSuccess) {
        statistics_.reserved_bytes += bytes;
        statistics_.reserved_peak_bytes = std::max(statistics_.reserved_peak_bytes, statistics_.reserved_bytes);
    }
    return error;
}

void *CachingAllocator::allocate(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t size = caching_ ? class_bytes(bytes) : bytes;
    void *memory = nullptr;
    if (const auto reused = cached_.find(size); reused != cached_.end()) {
        memory = reused->second;
        cached_.erase(reused);
    } else {
        hipError_t error = reserve(size, memory);
        if (error == hipErrorOutOfMemory && !cached_.empty()) {
            trim_locked();
            error = reserve(size, memory);
        }
        if (error != hipSuccess)
            throw runtime_failure(api_, error,
                                  fmt::format("allocating {} bytes of device memory ({} bytes are in use here)", size,
                                              statistics_.allocated_bytes));
    }
    allocated_.emplace(memory, size);
    statistics_.allocated_bytes += size;
    statistics_.allocated_peak_bytes = std::max(statistics_.allocated_peak_bytes, statistics_.allocated_bytes);
    return memory;
}

void CachingAllocator::free(void *memory) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = allocated_.find(memory);
    const std::uint64_t size = found->second;
    allocated_.erase(found);
    statistics_.allocated_bytes -= size;
    cached_.emplace(size, memory);
    if (!caching_)
        trim_locked();
}

void CachingAllocator::trim() noexcept {
    const std::lock_guard lock(mutex_);
    trim_locked();
}

void CachingAllocator::trim_locked() noexcept {
    for (const auto &[size, memory] : cached_) {
        (void)api_.hipFree(memory); // fails on a lost device, whose memory is gone anyway
        statistics_.reserved_bytes -= size;
    }
    cached_.clear();
}

isovmaf_memory_statistics CachingAllocator::statistics() const {
    const std::lock_guard lock(mutex_);
    return statistics_;
}

} // namespace isovmaf::gpu
