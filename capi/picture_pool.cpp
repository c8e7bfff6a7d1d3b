// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/picture_pool.hpp"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace isovmaf::capi {

/// The memory of a pool's pictures, each block large enough for one.
class PicturePool::Blocks {
  public:
    Blocks(std::size_t bytes, unsigned count, PictureMemory &source) : bytes_(bytes), source_(source) {
        free_.reserve(count); // give_back never allocates
        for (unsigned i = 0; i < count; i++) {
            free_.push_back(source.allocate(bytes));
            std::memset(free_.back().get(), 0, bytes);
        }
    }

    /// Null when none is free for that long.
    [[nodiscard]] std::shared_ptr<std::byte> take(std::chrono::milliseconds timeout) {
        std::unique_lock lock(mutex_);
        if (!available_.wait_for(lock, timeout, [this] { return !free_.empty(); }))
            return nullptr;
        std::shared_ptr<std::byte> block = std::move(free_.back());
        free_.pop_back();
        lock.unlock();
        if (!source_.is_best(block.get(), bytes_))
            replace(block);
        return block;
    }

    void give_back(std::shared_ptr<std::byte> block) noexcept {
        {
            const std::scoped_lock lock(mutex_);
            if (!closed_)
                free_.push_back(std::move(block));
        }
        available_.notify_one();
    }

    /// Frees the blocks that no picture has. From now on a block that is given back is freed.
    void close() noexcept {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        free_.clear();
    }

  private:
    /// Keeps the block when there is no memory for another.
    void replace(std::shared_ptr<std::byte> &block) noexcept {
        try {
            block = source_.allocate(bytes_);
        } catch (const std::bad_alloc &) {
        }
    }

    const std::size_t bytes_;
    PictureMemory &source_;
    std::mutex mutex_; ///< guards the members below
    std::condition_variable available_;
    std::vector<std::shared_ptr<std::byte>> free_;
    bool closed_ = false;
};

PicturePool::PicturePool(const PictureShape &shape, unsigned count, PictureMemory &memory)
    : shape_(shape), blocks_(std::make_shared<Blocks>(shape.bytes(), count, memory)) {}

PicturePool::~PicturePool() {
    if (blocks_) // not moved from
        blocks_->close();
}

PicturePool::PicturePool(PicturePool &&) noexcept = default;

std::optional<VmafPicture> PicturePool::fetch_within(std::chrono::milliseconds timeout) {
    std::shared_ptr<std::byte> block = blocks_->take(timeout);
    if (!block)
        return std::nullopt;
    std::byte *const begin = block.get();
    auto give_back = [blocks = blocks_, block = std::move(block)](std::byte *) mutable {
        blocks->give_back(std::move(block));
    };
    return shape_.place(std::shared_ptr<std::byte>(begin, std::move(give_back)));
}

} // namespace isovmaf::capi
