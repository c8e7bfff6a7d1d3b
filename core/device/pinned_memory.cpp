// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "device/pinned_memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.hpp"

namespace isovmaf {

std::shared_ptr<PinnedMemory> PinnedMemory::create(std::shared_ptr<const Device> device) {
    return std::shared_ptr<PinnedMemory>(new PinnedMemory(std::move(device)));
}

/// Takes a spare block of that size. When there is none, blocks of other sizes are freed: the pictures have changed.
std::byte *PinnedMemory::take_spare(std::uint64_t bytes, Keeping keeping) {
    for (auto &[address, block] : blocks_)
        if (!block.in_use && block.bytes == bytes) {
            block.in_use = true;
            block.keeping = keeping;
            return block.buffer.host();
        }
    std::erase_if(blocks_, [](const auto &entry) { return !entry.second.in_use; });
    return nullptr;
}

Result<std::shared_ptr<std::byte>> PinnedMemory::allocate(std::uint64_t bytes, Keeping keeping) {
    const std::lock_guard lock(mutex_);
    std::byte *address = take_spare(bytes, keeping);
    if (!address) {
        Result<Buffer> buffer = device_->create_buffer(device_->host_picture_memory(), bytes);
        if (!buffer) {
            refusal_ = refusal_.value_or(buffer.error());
            return tl::unexpected(buffer.error());
        }
        address = buffer->host();
        blocks_.emplace(address, Block{*std::move(buffer), bytes, true, keeping});
    }
    return std::shared_ptr<std::byte>(address,
                                      [self = shared_from_this()](std::byte *block) { self->give_back(block); });
}

std::optional<Error> PinnedMemory::refusal() const {
    const std::lock_guard lock(mutex_);
    return refusal_;
}

void PinnedMemory::give_back(std::byte *address) {
    const std::lock_guard lock(mutex_);
    blocks_.at(address).in_use = false;
}

/// The block in use in which `bytes` bytes from `address` on lie, or null. The caller holds mutex_.
const PinnedMemory::Block *PinnedMemory::block_of(const std::byte *address, std::uint64_t bytes,
                                                  std::uint64_t &offset) const {
    const auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin())
        return nullptr;
    const auto &[begin, block] = *std::prev(after);
    offset = static_cast<std::uint64_t>(address - begin);
    return block.in_use && offset <= block.bytes && bytes <= block.bytes - offset ? &block : nullptr;
}

std::optional<isovmaf_range> PinnedMemory::find(const std::byte *address, std::uint64_t bytes) const {
    const std::lock_guard lock(mutex_);
    std::uint64_t offset = 0;
    const Block *const block = block_of(address, bytes, offset);
    return block ? std::optional(block->buffer.at(offset)) : std::nullopt;
}

std::optional<isovmaf_range> PinnedMemory::find_kept(const std::byte *address, std::uint64_t bytes) const {
    const std::lock_guard lock(mutex_);
    std::uint64_t offset = 0;
    const Block *const block = block_of(address, bytes, offset);
    return block && block->keeping == Keeping::allowed ? std::optional(block->buffer.at(offset)) : std::nullopt;
}

} // namespace isovmaf
