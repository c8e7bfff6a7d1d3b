// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace isovmaf {

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
class Sha256 {
  public:
    using Digest = std::array<std::uint8_t, 32>;

    void add(std::span<const std::byte> bytes);

    /// The hash of all bytes. The object cannot be used after it.
    [[nodiscard]] Digest digest() &&;

    /// The hash in hexadecimal. The object cannot be used after it.
    [[nodiscard]] std::string hex() &&;

  private:
    static constexpr std::size_t block_bytes = 64;

    void add_block(const std::byte *block);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}; ///< section 5.3.3
    std::array<std::byte, block_bytes> pending_{};                                       ///< the block that is not full
    std::uint64_t bytes_ = 0;                                                            ///< added so far
};

/// XXH3 with 128 bits (xxHash): tells contents apart that differ by accident, at the speed of reading memory. It does
/// not resist somebody who looks for two contents with one hash.
class ContentHash {
  public:
    ContentHash();
    ~ContentHash();
    ContentHash(ContentHash &&) noexcept;
    ContentHash &operator=(ContentHash &&) noexcept;

    /// The hash does not depend on how bytes are divided among calls.
    void add(std::span<const std::byte> bytes);

    using Value = std::array<std::uint64_t, 2>; ///< the upper half of the bits first

    /// Of all bytes so far.
    [[nodiscard]] Value value() const;

    /// The same: 32 hexadecimal digits, as xxHash writes them.
    [[nodiscard]] std::string hex() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The hash XXH64 (xxHash, 64 bits) of `bytes`. It finds accidental differences and reads memory at several gigabytes
/// per second; it does not resist somebody who looks for two inputs with one hash.
[[nodiscard]] std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed = 0);

} // namespace isovmaf
