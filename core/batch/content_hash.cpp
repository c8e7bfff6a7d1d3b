// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/content_hash.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/xxh64.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 18; // stays in a processor's cache while it is hashed twice

} // namespace

void ContentHash::add_chunk(std::span<const std::byte> chunk) {
    for (std::uint64_t &half : halves_)
        half = xxh64(chunk, half);
}

void ContentHash::add(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const std::size_t taken = std::min(chunk_bytes - pending_.size(), bytes.size());
        if (taken == chunk_bytes) {
            add_chunk(bytes.first(taken));
        } else {
            pending_.insert(pending_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
            if (pending_.size() == chunk_bytes) {
                add_chunk(pending_);
                pending_.clear();
            }
        }
        bytes = bytes.subspan(taken);
    }
}

std::string ContentHash::hex() && {
    if (!pending_.empty())
        add_chunk(pending_);
    return fmt::format("{:016x}{:016x}", halves_[0], halves_[1]);
}

} // namespace isovmaf::batch
