// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "cuda/large_pages.hpp"

#include <cstdint>

#include <sys/mman.h>

namespace isovmaf::gpu {

void *LargePages::map(std::size_t bytes) {
    if (bytes < page_bytes)
        return nullptr;
    const std::size_t reserved = bytes + page_bytes;
    void *const mapped = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return nullptr;
    auto *const begin = static_cast<std::byte *>(mapped);
    const std::size_t before = (page_bytes - reinterpret_cast<std::uintptr_t>(begin) % page_bytes) % page_bytes;
    std::byte *const memory = begin + before;
    if (before > 0)
        (void)munmap(begin, before);
    (void)madvise(memory, reserved - before, MADV_HUGEPAGE); // a system without large pages has small ones
    if (madvise(memory, reserved - before, MADV_DONTFORK) != 0) {
        (void)munmap(memory, reserved - before);
        return nullptr;
    }
    const std::lock_guard lock(mutex_);
    bytes_.emplace(memory, reserved - before);
    return memory;
}

bool LargePages::has(const void *memory) const {
    const std::lock_guard lock(mutex_);
    return bytes_.contains(memory);
}

void LargePages::unmap(void *memory) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = bytes_.find(memory);
    (void)munmap(memory, found->second);
    bytes_.erase(found);
}

} // namespace isovmaf::gpu
