// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/plan/feature_set.hpp"
#include "features/feature.hpp"
#include "isovmaf/frame.hpp"

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

    /// A pair of the video was pushed, as it is held while it is scored. Also those of a lead-in, which get no words.
    virtual void see(std::int64_t /*frame*/, const FramePair & /*pair*/) {}

    /// `words` is valid during the call.
    virtual void take(const WordsOfFrame &words) = 0;

    /// No more frames come.
    virtual void end() = 0;
};

/// Where the scores of all features of a plan go.
class ColumnSink {
  public:
    virtual ~ColumnSink() = default;

    /// `column`: one of EnginePlan::columns.
    virtual void set(std::int64_t frame, std::size_t column, double score) = 0;

    /// A score of the whole video that is no statistic of its frames' scores.
    virtual void set_aggregate(std::string_view name, double score) = 0;
};

/// Runs the plan's finishers on the words of the next frame. Features without words are passed over, and those that
/// `subsample` skips on this frame. Changes the state of the finishers.
void finish_words(const EnginePlan &plan, const WordsOfFrame &words, int subsample, ColumnSink &sink);

/// Has the finishers give the scores that needed a later frame.
void finish_video(const EnginePlan &plan, ColumnSink &sink);

} // namespace isovmaf
