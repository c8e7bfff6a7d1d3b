// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace isovmaf {

/// Scratch memory of one worker thread: takes are bump allocations, `reset` forgets them all and keeps the memory,
/// so a steady stream of equal frames allocates only for the first one.
///
/// Not thread-safe; one per thread. Spans are aligned to 64 bytes, uninitialised, and valid until `reset`.
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
    struct Free {
        void operator()(std::byte *memory) const;
    };
    struct Block {
        std::unique_ptr<std::byte[], Free> memory;
        std::size_t size = 0;
    };

    void *take_bytes(std::size_t bytes);
    void add_block(std::size_t bytes);

    std::vector<Block> blocks_;
    std::size_t used_ = 0; ///< bytes taken from the last block
};

} // namespace isovmaf
