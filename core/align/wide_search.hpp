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

    /// `first_pair`: the number of the first pair that is added. Pairs from `most_pairs` on are ignored.
    explicit WideSearch(std::size_t first_pair = 0) : first_pair_(first_pair) {}

    /// Adds the next pair of frames.
    void add(const Thumbnail &reference, const Thumbnail &distorted);

    /// How many pairs are kept, and one of them.
    [[nodiscard]] std::size_t pairs() const { return reference_.size(); }
    [[nodiscard]] PairThumbnails pair(std::size_t number) const { return {reference_[number], distorted_[number]}; }

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

    struct Sample;

    [[nodiscard]] std::vector<Sample> samples() const;
    [[nodiscard]] Means means_at(const std::vector<Sample> &samples, int offset) const;

    std::size_t first_pair_;
    std::vector<Thumbnail> reference_, distorted_;
};

} // namespace isovmaf
