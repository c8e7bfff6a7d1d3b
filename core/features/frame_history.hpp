// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "features/feature.hpp"
#include "frame/frame_pair.hpp"

namespace isovmaf {

/// A pair and the reference frames before it. Holds the memory of its frames.
struct FrameWithHistory {
    FramePair pair;                         ///< empty frames when they lie on a device
    std::array<Frame, 2> earlier_reference; ///< [0] is frame n-1, [1] is n-2; empty before the start of the video

    /// What an extractor reads; points into this object.
    [[nodiscard]] FrameInputs inputs() const {
        FrameInputs inputs{&pair.reference, &pair.distorted, {}};
        for (std::size_t back = 0; back < earlier_reference.size(); back++)
            if (earlier_reference[back])
                inputs.earlier_reference[back] = &earlier_reference[back];
        return inputs;
    }
};

/// Gives each pair of a video the reference frames before it: the one place where earlier references are collected.
class FrameHistory {
  public:
    static constexpr int longest = 2;

    /// `length`, 0 to `longest`: how many reference frames are kept.
    explicit FrameHistory(int length = longest) : length_(static_cast<std::size_t>(length)) {}

    /// The next pair of the video.
    [[nodiscard]] FrameWithHistory next(FramePair pair) {
        FrameWithHistory frame{std::move(pair), earlier_};
        for (std::size_t back = length_; back-- > 0;)
            earlier_[back] = back == 0 ? frame.pair.reference : earlier_[back - 1];
        return frame;
    }

  private:
    std::size_t length_;
    std::array<Frame, longest> earlier_;
};

} // namespace isovmaf
