// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/extraction.hpp"

#include <array>

#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "engine/testing/extracted_words.hpp"
#include "engine/testing/session_scores.hpp"

namespace isovmaf::testing::extraction_test {
namespace {

constexpr VideoFormat format{.width = 64, .height = 48};

const FeatureRequest motion{"motion", {}}, five_frames{"motion", {{"motion_five_frame_window", "true"}}},
    vif{"vif", {}}, psnr{"psnr", {}};

int lead_in(const std::vector<FeatureRequest> &features, std::int64_t first_frame) {
    const SessionOptions options{.format = format, .scoring = {.features = features}};
    const EnginePlan plan = plan_of(options);
    WordCollector collector;
    return extraction_for(options, plan, collector, first_frame).lead_in();
}

TEST(Extraction, LeadInIsWhatExtractorsReadAndTheVideoHas) {
    EXPECT_EQ(lead_in({vif}, 7), 1) << "by which neighbouring segments are compared";
    EXPECT_EQ(lead_in({vif}, 0), 0);
    EXPECT_EQ(lead_in({vif, motion}, 0), 0);
    EXPECT_EQ(lead_in({vif, motion}, 7), 1);
    EXPECT_EQ(lead_in({motion, five_frames}, 1), 1);
    EXPECT_EQ(lead_in({motion, five_frames}, 7), 2);
}

TEST(Extraction, WordsOfAFrameDoNotDependOnWhereASegmentStarts) {
    SessionOptions options = on_cpu(format);
    options.execution.threads = 2;
    const std::vector<FramePair> clip = clip_of(format, 7);
    expect_words_of_segments(options, clip, extract_words(options, clip, 0, 7), 3);
    options.scoring.semantics = Semantics::libvmaf_3_0;
    options.scoring.features = {psnr};
    expect_words_of_segments(options, clip, extract_words(options, clip, 0, 7), 1);
}

TEST(Extraction, SubsamplingCountsFromTheStartOfTheVideo) {
    const SessionOptions options{
        .format = format, .scoring = {.features = {vif, motion}, .subsample = 3}, .execution = {.threads = 1}};
    const std::vector<FramePair> clip = clip_of(format, 8);
    expect_words_of_segments(options, clip, extract_words(options, clip, 0, 8), 2);
    for (const auto &[frame, rows] : extract_words(options, clip, 2, 8)) {
        EXPECT_EQ(rows[0].empty(), frame % 3 != 0) << frame;
        EXPECT_FALSE(rows[1].empty()) << frame;
    }
}

TEST(Extraction, TheCallersNumberDecidesOnSubsampling) {
    const SessionOptions options{
        .format = format, .scoring = {.features = {vif, motion}, .subsample = 3}, .execution = {.threads = 1}};
    const EnginePlan plan = plan_of(options);
    WordCollector collector;
    Extraction extraction = extraction_for(options, plan, collector);
    const std::vector<FramePair> clip = clip_of(format, 3);
    for (std::size_t n = 0; n < clip.size(); n++)
        ASSERT_TRUE(extraction.push(clip[n], std::array{4, 9, 3}[n]));
    ASSERT_TRUE(extraction.drain());
    ASSERT_EQ(collector.by_frame.size(), 3u);
    for (const std::int64_t frame : {0, 1, 2}) {
        EXPECT_EQ(collector.by_frame[frame][0].empty(), frame == 0) << frame;
        EXPECT_FALSE(collector.by_frame[frame][1].empty()) << frame;
    }
}

TEST(Extraction, GoesOnAfterItWasDrained) {
    const SessionOptions options{.format = format, .scoring = {.features = {motion}}, .execution = {.threads = 2}};
    const std::vector<FramePair> clip = clip_of(format, 4);
    const EnginePlan plan = plan_of(options);
    WordCollector collector;
    Extraction extraction = extraction_for(options, plan, collector);
    for (std::size_t n = 0; n < clip.size(); n++) {
        ASSERT_TRUE(extraction.push(clip[n]));
        ASSERT_TRUE(extraction.drain());
        EXPECT_EQ(collector.by_frame.size(), n + 1);
    }
    EXPECT_FALSE(collector.ended);
    ASSERT_TRUE(extraction.finish());
    EXPECT_EQ(collector.by_frame, extract_words(options, clip, 0, 4));
}

TEST(Extraction, NothingIsPushedAfterFinish) {
    const SessionOptions options{.format = format, .scoring = {.features = {vif}}, .execution = {.threads = 1}};
    const EnginePlan plan = plan_of(options);
    WordCollector collector;
    Extraction extraction = extraction_for(options, plan, collector);
    const FramePair pair = clip_of(format, 1).front();
    ASSERT_TRUE(extraction.push(pair));
    ASSERT_TRUE(extraction.finish());
    EXPECT_TRUE(extraction.finish());
    EXPECT_NE(extraction.push(pair).error().message.find("after finish"), std::string::npos);
    EXPECT_EQ(collector.by_frame.size(), 1u);
}

/// Fails on the second frame.
class FailingSink final : public WordSink {
  public:
    void take(const WordsOfFrame &words) override {
        if (words.frame == 1)
            throw Failure({ErrorCode::io, "the disk is full"});
    }
    void end() override { ADD_FAILURE() << "an extraction that failed ended its sink"; }
};

TEST(Extraction, AFailureOfTheSinkIsReportedFromThenOn) {
    const SessionOptions options{.format = format, .scoring = {.features = {psnr}}, .execution = {.threads = 1}};
    const EnginePlan plan = plan_of(options);
    FailingSink sink;
    Extraction extraction = extraction_for(options, plan, sink);
    Result<void> pushed;
    for (int n = 0; n < 10 && pushed; n++)
        pushed = extraction.push(clip_of(format, 1).front());
    for (const Result<void> &result : {pushed, extraction.collect(), extraction.finish()})
        EXPECT_EQ(result.error().message, "the disk is full");
}

} // namespace
} // namespace isovmaf::testing::extraction_test
