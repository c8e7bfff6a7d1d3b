// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/content_blocks.hpp"

namespace isovmaf {

/// Hashes the bytes of a file while a reader reads them: the hash needs no reading of its own. A reader hands over
/// either the bytes from the start of the file on, or the hashes of frames, in any order. Used by the thread that
/// reads, then by the one that has seen the end of the reading.
class ReadContent {
  public:
    /// `known`: digests that the file has. No frames are hashed whose digest is among them.
    explicit ReadContent(std::vector<std::string> known = {}) : known_(std::move(known)) {}

    /// Whether the caller is the first reader of the file, which has so many bytes: the one whose bytes are hashed.
    [[nodiscard]] bool attach(std::uint64_t file_bytes);

    /// The next bytes of the file.
    void add(std::span<const std::byte> bytes);

    /// The reader passes over bytes. Those behind them are not hashed.
    void skip() { skipped_ = true; }

    /// From now on the reader hands over frames. Where their hashes go; null when their digest is known.
    [[nodiscard]] BlockHashes *begin_frames(const BlockLayout &layout);

    /// The frames do not lie as they were expected: nothing that was read counts.
    void give_up_frames();

    /// The digest that the file was found to have; nothing while it has to be hashed.
    [[nodiscard]] const std::optional<std::string> &known_digest() const { return known_digest_; }

    /// The hashes so far, of a file of so many bytes: those of all its bytes, unless frames were begun.
    [[nodiscard]] BlockHashes &hashes(std::uint64_t file_bytes);

  private:
    std::vector<std::string> known_;
    std::optional<std::string> known_digest_; ///< of the frames
    std::optional<OrderedBlocks> whole_;
    std::optional<BlockHashes> frames_;
    bool attached_ = false, skipped_ = false;
};

} // namespace isovmaf
