// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "align/alignment.hpp"
#include "align/offset_costs.hpp"

namespace isovmaf {

/// Looks at two videos whose pairs fit badly as a whole: they may be shifted by seconds, or show different things.
/// Keeps the thumbnails of the first minute or so.
class WideSearch {
  public:
    static constexpr std::size_t most_pairs = 1500; ///< 3.5 MB

    /// Adds the next pair of frames; those after `most_pairs` are ignored.
    void add(const Thumbnail &reference, const Thumbnail &distorted);

    /// An offset of any size at which sampled pictures fit far better than they do as they were paired, and far better
    /// than at offsets elsewhere. Nothing for pictures that fit as they are, that repeat, or that say too little.
    [[nodiscard]] std::optional<AlignedPart> find_offset() const;

    /// Whether the sampled pictures differ from their partners by no more than what bad encodes and some frames of
    /// motion explain.
    [[nodiscard]] bool fit_as_paired() const;

    /// False when at most a quarter of the sampled pictures resemble their partners. Pictures without contrast do not
    /// count; when fewer than 8 have some, the result is true.
    [[nodiscard]] bool look_alike() const;

  private:
    struct Means;

    [[nodiscard]] std::vector<std::size_t> samples() const;
    [[nodiscard]] Means means_at(const std::vector<std::size_t> &samples, int offset) const;

    std::vector<Thumbnail> reference_, distorted_;
};

} // namespace isovmaf
