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

/// Takes a kept block of that size. When there is none, blocks of other sizes are freed: the pictures have changed.
std::byte *PinnedMemory::take_kept(std::uint64_t bytes) {
    for (auto &[address, block] : blocks_)
        if (!block.in_use && block.bytes == bytes) {
            block.in_use = true;
            return block.buffer.host();
        }
    std::erase_if(blocks_, [](const auto &entry) { return !entry.second.in_use; });
    return nullptr;
}

Result<std::shared_ptr<std::byte>> PinnedMemory::allocate(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    std::byte *address = take_kept(bytes);
    if (!address) {
        Result<Buffer> buffer = device_->create_buffer(ISOVMAF_MEMORY_UPLOAD, bytes);
        if (!buffer) {
            refusal_ = refusal_.value_or(buffer.error());
            return tl::unexpected(buffer.error());
        }
        address = buffer->host();
        blocks_.emplace(address, Block{*std::move(buffer), bytes, true});
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

std::optional<isovmaf_range> PinnedMemory::find(const std::byte *address, std::uint64_t bytes) const {
    const std::lock_guard lock(mutex_);
    const auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin())
        return std::nullopt;
    const auto &[begin, block] = *std::prev(after);
    const auto offset = static_cast<std::uint64_t>(address - begin);
    if (!block.in_use || offset > block.bytes || bytes > block.bytes - offset)
        return std::nullopt;
    return block.buffer.at(offset);
}

} // namespace isovmaf
