// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "frame/thumbnail.hpp"

namespace isovmaf {

/// The root of the mean squared difference, rounded down. The square makes regions that move count for more: elsewhere
/// an encoder repeats what it coded before, which looks late.
[[nodiscard]] std::uint16_t difference(const Thumbnail &a, const Thumbnail &b);

/// How different each frame of one video, the fixed one, is from the frames of the other, the moving one, near its
/// partner. When all frames have partners, the reference is fixed and the distorted video moves; when frames are paired
/// by time, the faster video moves, so that offsets are as fine as they can be. Keeps only the thumbnails of the last
/// `reach` frames; 2 * reach + 2 numbers of 16 bit stay for each pair.
class OffsetCosts {
  public:
    /// What is kept of successive pairs without frames between them: enough to join them to the pairs before.
    struct Part {
        std::vector<std::uint16_t> costs, motion; ///< see OffsetCosts; offsets that lead outside the part have none
        std::vector<PairThumbnails> first, last;  ///< at most `reach` pairs each; of few pairs both have all
    };

    /// `reach`: the largest offset in frames of the moving video, at least 1.
    explicit OffsetCosts(int reach) : reach_(reach) {}

    /// Adds the next pair of frames.
    void add(const Thumbnail &fixed, const Thumbnail &moving);

    /// Adds a frame of the moving video without a partner.
    void add_unpaired(const Thumbnail &moving);

    /// The pairs so far as a part. The reference is fixed, and all frames have partners.
    [[nodiscard]] Part part() const;

    /// Adds all pairs of a part with the same reach: afterwards the costs are those of pairs that were added one by
    /// one.
    void append(const Part &part);

    [[nodiscard]] int reach() const { return reach_; }
    [[nodiscard]] std::size_t frames() const { return motion_.size(); } ///< pairs

    /// The difference of fixed frame `frame`, counted in pairs, and the moving frame `offset` frames after its partner;
    /// nothing when there is no such frame. `offset` is from -reach to reach.
    [[nodiscard]] std::optional<int> cost(std::size_t frame, int offset) const;

    /// The difference of a fixed frame and the one before it; 0 for the first frame.
    [[nodiscard]] int motion(std::size_t frame) const { return motion_[frame]; }

  private:
    static constexpr std::uint16_t missing = 0xffff; ///< above every difference

    [[nodiscard]] std::size_t row_size() const { return static_cast<std::size_t>(2 * reach_ + 1); }
    void go_on_after(const std::vector<PairThumbnails> &last);

    struct Fixed {
        Thumbnail picture;
        std::size_t partner; ///< number of its moving frame
    };

    [[nodiscard]] std::size_t position(std::size_t frame, int offset) const {
        return frame * row_size() + static_cast<std::size_t>(offset + reach_);
    }

    int reach_;
    std::vector<PairThumbnails> first_; ///< pairs, at most `reach`
    std::deque<Thumbnail> moving_;      ///< the last frames, at most reach + 1, the newest in front
    std::deque<Fixed> fixed_;           ///< the last frames, the newest in front
    Thumbnail last_fixed_;
    std::size_t moving_frames_ = 0;
    std::vector<std::uint16_t> costs_;
    std::vector<std::uint16_t> motion_;
};

} // namespace isovmaf
