// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "base/align.hpp"

namespace isovmaf {

/// Scratch memory of one worker thread. `take` moves a pointer forward in a block. `reset` ends all spans and keeps the
/// memory, so a video of equal frames allocates memory for its first frame only.
///
/// Not thread-safe; one per thread. Spans are aligned to memory_alignment, uninitialised, and valid until `reset`.
class Workspace {
  public:
    template <class T>
    [[nodiscard]] std::span<T> take(std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
        return {static_cast<T *>(take_bytes(count * sizeof(T))), count};
    }

    void reset();

    /// Bytes held from the system.
    [[nodiscard]] std::size_t capacity() const;

  private:
    struct Block {
        AlignedBytes memory;
        std::size_t size = 0;
    };

    void *take_bytes(std::size_t bytes);
    void add_block(std::size_t bytes);

    std::vector<Block> blocks_;
    std::size_t used_ = 0; ///< bytes taken from the last block
};

} // namespace isovmaf
