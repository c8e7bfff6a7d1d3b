// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/workspace.hpp"

#include <algorithm>

#include "base/align.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t smallest_block = std::size_t{1} << 20;

} // namespace

void Workspace::add_block(std::size_t bytes) {
    blocks_.push_back({allocate_aligned(bytes), bytes});
    used_ = 0;
}

void *Workspace::take_bytes(std::size_t bytes) {
    const std::size_t size = align_up(bytes, memory_alignment);
    if (blocks_.empty() || blocks_.back().size - used_ < size)
        add_block(std::max(size, smallest_block));
    std::byte *start = blocks_.back().memory.get() + used_;
    used_ += size;
    return start;
}

void Workspace::reset() {
    if (blocks_.size() > 1) { // next time one block is large enough for everything
        const std::size_t total = capacity();
        blocks_.clear();
        add_block(total);
    }
    used_ = 0;
}

std::size_t Workspace::capacity() const {
    std::size_t total = 0;
    for (const Block &block : blocks_)
        total += block.size;
    return total;
}

} // namespace isovmaf
