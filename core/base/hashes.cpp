// SPDX-License-Identifier: BSD-2-Clause-Patent
// The sections at SHA-256 are those of FIPS 180-4, the Secure Hash Standard.
#include "base/hashes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

namespace isovmaf {

namespace {

/// section 4.2.2
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t load_big_endian(const std::byte *bytes) {
    std::uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word = word << 8 | std::to_integer<std::uint32_t>(bytes[i]);
    return word;
}

/// section 6.2.2, step 1: the message schedule.
std::array<std::uint32_t, 64> expand(const std::byte *block) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; t++)
        w[t] = load_big_endian(block + 4 * t);
    for (std::size_t t = 16; t < 64; t++) {
        const std::uint32_t a = w[t - 15], b = w[t - 2];
        const std::uint32_t sigma0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3;
        const std::uint32_t sigma1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10;
        w[t] = w[t - 16] + sigma0 + w[t - 7] + sigma1;
    }
    return w;
}

} // namespace

/// section 6.2.2, steps 2 to 4
void Sha256::add_block(const std::byte *block) {
    const std::array<std::uint32_t, 64> w = expand(block);
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; t++) {
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t t1 = h + sum1 + choice + round_constants[t] + w[t];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    const std::array<std::uint32_t, 8> worked{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state_.size(); i++)
        state_[i] += worked[i];
}

void Sha256::add(std::span<const std::byte> bytes) {
    std::size_t filled = bytes_ % block_bytes;
    bytes_ += bytes.size();
    while (!bytes.empty()) {
        const std::size_t taken = std::min(block_bytes - filled, bytes.size());
        if (taken == block_bytes) {
            add_block(bytes.data());
        } else {
            std::memcpy(pending_.data() + filled, bytes.data(), taken);
            filled = (filled + taken) % block_bytes;
            if (filled == 0)
                add_block(pending_.data());
        }
        bytes = bytes.subspan(taken);
    }
}

Sha256::Digest Sha256::digest() && {
    const std::uint64_t bits = bytes_ * 8;
    std::array<std::byte, block_bytes + 8> padding{
        std::byte{0x80}}; // section 5.1.1: one bit, zeros, the length in bits
    const std::size_t zeros_end = (block_bytes + 56 - bytes_ % block_bytes - 1) % block_bytes + 1;
    for (std::size_t i = 0; i < 8; i++)
        padding[zeros_end + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
    add({padding.data(), zeros_end + 8});

    Digest digest;
    for (std::size_t i = 0; i < digest.size(); i++)
        digest[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

std::string Sha256::hex() && { return fmt::format("{:02x}", fmt::join(std::move(*this).digest(), "")); }

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

ContentHash::Value ContentHash::value() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_->value);
    return {hash.high64, hash.low64};
}

std::string ContentHash::hex() const { return fmt::format("{:016x}", fmt::join(value(), "")); }

std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed) {
    return XXH64(bytes.data(), bytes.size(), seed);
}

} // namespace isovmaf
