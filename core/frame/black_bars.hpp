// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frame/frame.hpp"

namespace isovmaf {

/// Finds lines at the edges of a video's pictures that are black in all frames that are looked at. Sums are integers:
/// equal on every machine.
class BlackBars {
  public:
    /// A line is black when the mean of its luma is no more than this above black, in 8-bit levels: what an encoder
    /// makes of black.
    static constexpr int black_levels = 4;
    /// A picture tells where bars end when its mean is at least this above black, in 8-bit levels.
    static constexpr int lit_levels = 8;
    /// A bar ends clearly when the line beside it is at least this above black in some frame, in 8-bit levels.
    static constexpr int clear_levels = 16;

    /// Of pictures of this format. Black is 0 with `full_range`, else 16 times a power of two.
    BlackBars(const VideoFormat &format, bool full_range);

    /// Looks at the luma of a frame, in host memory. Pictures that are dark as a whole say nothing, and are only
    /// counted.
    void see(const Frame &frame);

    [[nodiscard]] int frames() const { return frames_; }
    [[nodiscard]] int lit_frames() const { return lit_frames_; }

    /// The black lines at both ends of a direction.
    struct Bars {
        int before = 0, after = 0;
        bool clear = true; ///< the lines beside them are clearly not black
    };

    /// Black rows at the top and the bottom.
    [[nodiscard]] Bars rows() const { return bars_of(brightest_rows_, format_.width); }

    /// Black columns on the left and the right.
    [[nodiscard]] Bars columns() const { return bars_of(brightest_columns_, format_.height); }

  private:
    template <class Sample>
    void add(const Plane &luma);
    [[nodiscard]] std::int64_t level(int levels) const; ///< above black, as a sample
    [[nodiscard]] Bars bars_of(std::span<const std::int64_t> brightest, int samples) const;

    const VideoFormat format_;
    const int black_; ///< in 8-bit levels
    int frames_ = 0, lit_frames_ = 0;
    std::vector<std::int64_t> brightest_rows_, brightest_columns_; ///< the largest sum of a line, of the lit frames
};

} // namespace isovmaf
