// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/read_content.hpp"

#include <algorithm>

namespace isovmaf {

bool ReadContent::attach(std::uint64_t file_bytes) {
    if (std::exchange(attached_, true))
        return false;
    whole_.emplace(file_bytes);
    return true;
}

void ReadContent::add(std::span<const std::byte> bytes) {
    if (!skipped_)
        whole_->add(bytes);
}

BlockHashes *ReadContent::begin_frames(const BlockLayout &layout) {
    whole_.reset();
    for (const std::string &digest : known_)
        if (layout_of(digest) == layout) {
            known_digest_ = digest;
            return nullptr;
        }
    return &frames_.emplace(layout);
}

void ReadContent::give_up_frames() {
    known_digest_.reset();
    frames_.reset();
}

BlockHashes &ReadContent::hashes(std::uint64_t file_bytes) {
    if (frames_)
        return *frames_;
    if (!whole_)
        whole_.emplace(file_bytes);
    return whole_->hashes();
}

} // namespace isovmaf
