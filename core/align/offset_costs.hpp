// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "frame/frame.hpp"

namespace isovmaf {

/// The luma of a picture as 32 x 18 means of rectangles, minus the mean of them all, in 1/64 of an 8-bit level. Equal
/// on every machine. Pictures of other sizes and bit depths than each other can be compared by it.
struct Thumbnail {
    static constexpr int width = 32;
    static constexpr int height = 18;
    static constexpr int levels = 64; ///< units in one 8-bit level

    std::array<std::int16_t, std::size_t{width} * height> samples{};
};

/// Reads at most 2 rows of each rectangle: 36 rows of a picture.
[[nodiscard]] Thumbnail make_thumbnail(const Frame &frame);

/// The root of the mean squared difference, rounded down. The square makes regions that move count for more: elsewhere
/// an encoder repeats what it coded before, which looks late.
[[nodiscard]] std::uint16_t difference(const Thumbnail &a, const Thumbnail &b);

/// How different each reference frame is from the distorted frames near it. Takes pairs one after the other and keeps
/// only the thumbnails of the last `reach` frames; 2 * reach + 2 numbers of 16 bit stay for each frame.
class OffsetCosts {
  public:
    /// `reach`: the largest offset, at least 1.
    explicit OffsetCosts(int reach) : reach_(reach) {}

    /// Adds the next pair of frames.
    void add(const Thumbnail &reference, const Thumbnail &distorted);

    [[nodiscard]] int reach() const { return reach_; }
    [[nodiscard]] std::size_t frames() const { return motion_.size(); }

    /// The difference of reference frame `frame` and distorted frame `frame + offset`; nothing when there is no such
    /// frame. `offset` is from -reach to reach.
    [[nodiscard]] std::optional<int> cost(std::size_t frame, int offset) const;

    /// The difference of a reference frame and the one before it; 0 for the first frame.
    [[nodiscard]] int motion(std::size_t frame) const { return motion_[frame]; }

  private:
    static constexpr std::uint16_t missing = 0xffff; ///< above every difference

    [[nodiscard]] std::size_t position(std::size_t frame, int offset) const {
        return frame * static_cast<std::size_t>(2 * reach_ + 1) + static_cast<std::size_t>(offset + reach_);
    }

    int reach_;
    std::deque<Thumbnail> reference_, distorted_; ///< the last frames, at most reach + 1, the newest in front
    std::vector<std::uint16_t> costs_;
    std::vector<std::uint16_t> motion_;
};

} // namespace isovmaf
