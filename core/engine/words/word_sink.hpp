// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>

#include "features/feature.hpp"

namespace isovmaf {

/// The words of one frame: one row for each feature of the plan, in the plan's order. The row of a feature that does
/// not run on the frame is empty.
struct WordsOfFrame {
    std::int64_t frame = 0; ///< counted from the start of the video
    std::span<const ConstWords> features;
};

/// Receives the words of a video frame by frame, in frame order. Throws nothing but Failure and std::bad_alloc.
class WordSink {
  public:
    virtual ~WordSink() = default;

    /// `words` is valid during the call.
    virtual void take(const WordsOfFrame &words) = 0;

    /// No more frames come.
    virtual void end() = 0;
};

} // namespace isovmaf
