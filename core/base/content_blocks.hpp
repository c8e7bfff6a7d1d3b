// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hashes.hpp"

/// Digests of files that are hashed block by block, in any order and by any threads. Why: docs/adr/0096.
namespace isovmaf {

/// Bytes of a file.
struct ByteRange {
    std::uint64_t offset = 0, bytes = 0;
};

/// Which bytes of a file a digest covers: a head, blocks at equal distances, of which the first `covered` bytes count,
/// and what is left behind them. Blocks are frames of raw video, without the planes at their end that nobody reads, or
/// pieces of any file.
struct BlockLayout {
    std::uint64_t file_bytes = 0;
    std::uint64_t offset = 0;   ///< of the first block
    std::uint64_t distance = 1; ///< from block to block, at least 1
    std::uint64_t covered = 1;  ///< of a block, at most `distance`

    /// Number of whole blocks.
    [[nodiscard]] std::uint64_t blocks() const { return (file_bytes - offset) / distance; }

    /// Number of parts: the blocks, and behind them the head and the tail.
    [[nodiscard]] std::size_t parts() const { return static_cast<std::size_t>(blocks()) + 2; }

    /// Where a part lies. The head has all bytes before the first block; where blocks leave bytes out it has at least
    /// those by which the kind of a file is recognised.
    [[nodiscard]] ByteRange part(std::size_t number) const;

    friend bool operator==(const BlockLayout &, const BlockLayout &) = default;
};

/// The most bytes at the start of a file by which its kind is recognised.
inline constexpr std::uint64_t recognised_bytes = std::uint64_t{1} << 16;

/// The layout of a file whose bytes all count.
[[nodiscard]] BlockLayout whole_file(std::uint64_t file_bytes);

/// The hashes of a file's parts. Threads may add those of different parts at the same time. Memory is taken for the
/// parts that have one: a file of a terabyte may have more frames than would fit.
class BlockHashes {
  public:
    explicit BlockHashes(const BlockLayout &layout)
        : layout_(layout), pieces_((layout.parts() + piece_parts - 1) / piece_parts) {}

    [[nodiscard]] const BlockLayout &layout() const { return layout_; }

    /// `hash` is that of all bytes of the part.
    void set(std::size_t part, const ContentHash &hash);

    /// The number of parts that have no hash yet.
    [[nodiscard]] std::size_t count_missing() const;

    /// Whether this part has none.
    [[nodiscard]] bool is_missing(std::size_t part) const;

    /// The digest, once no part is missing: the layout, and the hash of the parts' hashes. Equal digests mean equal
    /// bytes in equal places, and files of the same length.
    [[nodiscard]] std::string digest() const;

  private:
    struct Part {
        ContentHash::Value hash{};
        bool known = false;
    };
    static constexpr std::size_t piece_parts = 4096;

    const BlockLayout layout_;
    mutable std::mutex mutex_;              ///< guards the members below
    std::vector<std::vector<Part>> pieces_; ///< of `piece_parts` parts; empty until one of them has a hash
    std::size_t known_ = 0;
};

/// Hashes the parts of a whole file whose bytes come in order, from the first one on.
class OrderedBlocks {
  public:
    explicit OrderedBlocks(std::uint64_t file_bytes);

    /// The next bytes. Those behind the end of the file do not count.
    void add(std::span<const std::byte> bytes);

    /// Complete after all bytes; before that, the block that is not complete is missing.
    [[nodiscard]] BlockHashes &hashes() { return hashes_; }

  private:
    void complete_part();
    void pass_empty_parts();

    BlockHashes hashes_;
    std::uint64_t begun_ = 0; ///< bytes of the part in `hash_`
    std::size_t part_ = 0;
    ContentHash hash_;
};

/// The layout of the digest `digest`; nothing if it is no digest of BlockHashes.
[[nodiscard]] std::optional<BlockLayout> layout_of(std::string_view digest);

/// Whether this is a digest of BlockHashes of a whole file.
[[nodiscard]] bool is_of_whole_file(std::string_view digest);

} // namespace isovmaf
