// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/content_hash.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace isovmaf {

struct ContentHash::State {
    XXH3_state_t value;
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->value); }
ContentHash::~ContentHash() = default;
ContentHash::ContentHash(ContentHash &&) noexcept = default;
ContentHash &ContentHash::operator=(ContentHash &&) noexcept = default;

void ContentHash::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(&state_->value, bytes.data(), bytes.size());
}

std::string ContentHash::hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_->value);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace isovmaf
