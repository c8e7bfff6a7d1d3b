// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>

namespace isovmaf {

/// First in, first out, between one thread that pushes and one that pops. It allocates no memory.
template <class Item, std::size_t capacity>
class BoundedQueue {
  public:
    /// Waits for room. Once the queue is closed, the item is dropped and the result is false.
    bool push(Item item) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || count_ < capacity; });
        if (closed_)
            return false;
        items_[(first_ + count_) % capacity] = std::move(item);
        count_++;
        changed_.notify_all();
        return true;
    }

    /// Waits for an item.
    Item pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return count_ > 0; });
        Item item = *std::move(items_[first_]);
        items_[first_].reset();
        first_ = (first_ + 1) % capacity;
        count_--;
        changed_.notify_all();
        return item;
    }

    /// From now on `push` returns false, and a `push` that waits for room returns.
    void close() {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::array<std::optional<Item>, capacity> items_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    bool closed_ = false;
};

} // namespace isovmaf
