// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace isovmaf {

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

    /// Of all bytes so far: 32 hexadecimal digits, as xxHash writes them.
    [[nodiscard]] std::string hex() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace isovmaf
