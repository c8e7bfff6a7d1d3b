// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "features/feature.hpp"
#include "isovmaf/frame.hpp"

namespace isovmaf {

/// A pair and the frames before it, wherever they lie. Shares the memory of its frames.
struct FrameWindow {
    using Earlier = std::array<Frame, EarlierFrames::longest>; ///< [0] is frame n-1, [1] is n-2; empty before the start

    FramePair pair;
    Earlier earlier_reference, earlier_distorted;

    /// What an extractor reads. The pair lies in host memory, and so does each earlier frame that the extractor's plan
    /// asks for. Points into the memory of the frames.
    [[nodiscard]] PictureWindow pictures() const;
};

/// Gives each pair of a video the frames before it: the one place where earlier frames are collected. Several distorted
/// videos may share the reference: each is a member with earlier frames of its own.
class FrameHistory {
  public:
    /// `kept`: how many frames of each side.
    explicit FrameHistory(EarlierFrames kept, std::size_t members = 1) : kept_(kept), distorted_(members) {}

    /// The window of the next reference, without distorted frames.
    [[nodiscard]] FrameWindow next(Frame reference);

    /// Gives the window the next frame of a member, in place of that of another member.
    void add_distorted(FrameWindow &window, std::size_t member, Frame distorted);

    /// Lets go of the frames of a member that gets no more.
    void forget(std::size_t member) { distorted_[member] = {}; }

    /// The window of the next pair of the only member.
    [[nodiscard]] FrameWindow next(FramePair pair);

  private:
    EarlierFrames kept_;
    FrameWindow::Earlier reference_;
    std::vector<FrameWindow::Earlier> distorted_; ///< of each member
};

} // namespace isovmaf
