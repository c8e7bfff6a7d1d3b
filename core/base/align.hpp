// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <new>

namespace isovmaf {

/// The least multiple of `alignment` that is `value` or more. Both are positive.
template <std::integral T>
[[nodiscard]] constexpr T align_up(T value, T alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// A cache line, and the longest vector register of a CPU.
inline constexpr std::size_t memory_alignment = 64;

struct AlignedFree {
    void operator()(std::byte *memory) const { ::operator delete (memory, std::align_val_t{memory_alignment}); }
};
using AlignedBytes = std::unique_ptr<std::byte[], AlignedFree>;

/// Uninitialised memory that starts at a multiple of memory_alignment. Throws std::bad_alloc when memory is out.
[[nodiscard]] inline AlignedBytes allocate_aligned(std::size_t bytes) {
    return AlignedBytes(static_cast<std::byte *>(::operator new (bytes, std::align_val_t{memory_alignment})));
}

} // namespace isovmaf
