// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "host/guarded_memory.hpp"

#include <algorithm>
#include <cstring>

#include "host/sanitizer.hpp"

namespace isovmaf::host {

namespace {

constexpr std::byte pattern{0xb5};

} // namespace

GuardedMemory::GuardedMemory(std::uint64_t bytes)
    : bytes_(bytes), memory_(static_cast<std::byte *>(::operator new(bytes + 2 * guard_bytes, alignment))) {
    std::memset(memory_, static_cast<int>(pattern), bytes_ + 2 * guard_bytes);
#if defined(ISOVMAF_HOST_ASAN)
    __asan_poison_memory_region(memory_, guard_bytes);
    __asan_poison_memory_region(data() + bytes_, guard_bytes);
#endif
}

GuardedMemory::~GuardedMemory() {
#if defined(ISOVMAF_HOST_ASAN)
    __asan_unpoison_memory_region(memory_, bytes_ + 2 * guard_bytes);
#endif
    ::operator delete(memory_, alignment);
}

bool GuardedMemory::intact() const {
#if defined(ISOVMAF_HOST_ASAN)
    return true; // AddressSanitizer would have reported a write
#else
    const auto untouched = [](const std::byte *guard) {
        return std::all_of(guard, guard + guard_bytes, [](std::byte byte) { return byte == pattern; });
    };
    return untouched(memory_) && untouched(data() + bytes_);
#endif
}

} // namespace isovmaf::host
