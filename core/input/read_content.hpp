// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <utility>

#include "base/hashes.hpp"

namespace isovmaf {

/// Hashes the bytes of a file while a reader reads them from the start: the hash needs no reading of its own. Used by
/// the thread that reads, then by the one that has seen the end of the reading.
class ReadContent {
  public:
    /// Whether the caller is the first reader, the one whose bytes are hashed.
    [[nodiscard]] bool attach() { return !std::exchange(attached_, true); }

    /// The next bytes of the file.
    void add(std::span<const std::byte> bytes) {
        if (skipped_)
            return;
        hash_.add(bytes);
        bytes_ += static_cast<std::int64_t>(bytes.size());
    }

    /// The reader passes over bytes. Those behind them are not hashed.
    void skip() { skipped_ = true; }

    /// How many bytes from the start of the file on are hashed.
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

    /// The hash of these bytes.
    [[nodiscard]] ContentHash &hash() { return hash_; }

  private:
    bool attached_ = false, skipped_ = false;
    std::int64_t bytes_ = 0;
    ContentHash hash_;
};

} // namespace isovmaf
