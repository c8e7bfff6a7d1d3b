// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace isovmaf {

/// Tells from the bytes of a video that is read as samples of 8 bit whether they are words of 16 bit, in which deeper
/// samples are stored. The upper bytes of such words change far less from one word to the next than the lower ones. The
/// two halves of pairs of samples of 8 bit change alike.
class WordCheck {
  public:
    /// Looks at bytes that begin at an even place of the video.
    void add(std::span<const std::byte> bytes);

    /// The bit depth that the words seem to have: 10, 12, 14 or 16. Nothing for samples of 8 bit, and for bytes that
    /// tell too little, such as those of flat pictures.
    [[nodiscard]] std::optional<int> depth_of_words() const;

  private:
    /// The first or the second bytes of all pairs.
    struct Half {
        std::int64_t change = 0; ///< the sum of all differences between neighbours
        int largest = 0;
        std::bitset<256> values; ///< those that occur
    };

    std::array<Half, 2> halves_;
};

} // namespace isovmaf
