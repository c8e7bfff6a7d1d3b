// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace isovmaf::batch {

/// A hash of 128 bits that tells contents apart that differ by accident, at the speed of reading: two XXH64, of chunks
/// of 256 KiB. The two hashes of a chunk are the seeds of those of the next.
class ContentHash {
  public:
    void add(std::span<const std::byte> bytes);

    /// 32 hexadecimal digits.
    [[nodiscard]] std::string hex() &&;

  private:
    void add_chunk(std::span<const std::byte> chunk);

    std::array<std::uint64_t, 2> halves_{0, 1};
    std::vector<std::byte> pending_; ///< less than a chunk
};

} // namespace isovmaf::batch
