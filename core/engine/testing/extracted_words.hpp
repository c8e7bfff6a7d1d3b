// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "engine/extraction.hpp"
#include "engine/plan/bind_models.hpp"

namespace isovmaf::testing {

/// Rows of words, one per feature, by frame.
using WordsByFrame = std::map<std::int64_t, std::vector<std::vector<std::int64_t>>>;

class WordCollector final : public WordSink {
  public:
    void take(const WordsOfFrame &words) override {
        EXPECT_TRUE(by_frame.empty() || by_frame.rbegin()->first + 1 == words.frame);
        for (const ConstWords row : words.features)
            by_frame[words.frame].emplace_back(row.begin(), row.end());
    }
    void end() override { ended = true; }

    WordsByFrame by_frame;
    bool ended = false;
};

/// The plan of everything that `options` ask for.
inline EnginePlan plan_of(const SessionOptions &options) {
    return make_plan(load_requested(options.scoring, options.format.height).value().features,
                     {options.format, options.scoring.semantics})
        .value();
}

/// What runs a plan where the options say.
inline OpenedScheduler scheduler_for(const SessionOptions &options, const EnginePlan &plan, std::size_t members = 1) {
    return open_scheduler(*open_execution(options.execution).value(), plan, members).value();
}

inline Extraction extraction_for(const SessionOptions &options, const EnginePlan &plan, WordSink &sink,
                                 std::int64_t first_frame = 0) {
    return Extraction(scheduler_for(options, plan), plan, options.scoring.subsample, {&sink}, first_frame);
}

/// The words of frames `first` to `end` - 1 of a clip.
inline WordsByFrame extract_words(const SessionOptions &options, const std::vector<FramePair> &clip, std::int64_t first,
                                  std::int64_t end) {
    const EnginePlan plan = plan_of(options);
    WordCollector collector;
    Extraction extraction = extraction_for(options, plan, collector, first);
    for (std::int64_t n = first - extraction.lead_in(); n < end; n++)
        EXPECT_TRUE(extraction.push(clip[static_cast<std::size_t>(n)]));
    const Result<void> finished = extraction.finish();
    EXPECT_TRUE(finished) << finished.error().message;
    EXPECT_TRUE(collector.ended);
    return collector.by_frame;
}

/// Extracts every segment of `length` frames and expects the words that the whole clip has there.
inline void expect_words_of_segments(const SessionOptions &options, const std::vector<FramePair> &clip,
                                     const WordsByFrame &whole, std::int64_t length) {
    ASSERT_EQ(whole.size(), clip.size());
    for (std::int64_t first = 0; first + length <= static_cast<std::int64_t>(clip.size()); first++) {
        const auto begin = whole.find(first);
        EXPECT_EQ(extract_words(options, clip, first, first + length), WordsByFrame(begin, std::next(begin, length)))
            << "first frame " << first;
    }
}

} // namespace isovmaf::testing
