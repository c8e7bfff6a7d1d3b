// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/score_spans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A video whose motion is `motion`; frame n scores 50 + n.
ScoreTable video(const std::vector<double> &motion) {
    ScoreTable table{{"motion", "motion2", "vmaf"}, {}, {}, {"motion", "motion", "vmaf_v0.6.1"}};
    for (std::size_t i = 0; i < motion.size(); i++) {
        const auto frame = static_cast<std::int64_t>(i);
        table.frames.push_back({.frame = frame, .scores = {motion[i], 0, 50. + static_cast<double>(i)}});
    }
    return table;
}

TEST(ScoreSpans, ShotsBeginWhereMotionPeaks) {
    EXPECT_THAT(shot_starts(video({0, 2, 2, 40, 3, 1, 30})), ElementsAre(3, 6));
    EXPECT_THAT(shot_starts(video({0, 2, 20, 30, 20, 2})), IsEmpty()); // fast motion
    EXPECT_THAT(shot_starts(video({0, 0, 3, 0})), IsEmpty());          // noise
    EXPECT_THAT(shot_starts(video({})), IsEmpty());
    ScoreTable skipped = video({0, 2, 2, 40, 3});
    skipped.frames.erase(skipped.frames.begin() + 1);
    EXPECT_THAT(shot_starts(skipped), IsEmpty());
}

std::vector<std::size_t> counts_of(const Report &report, SpanKind kind) {
    const Result<std::vector<ScoreSpan>> spans = cut_into_spans(report, kind);
    EXPECT_TRUE(spans);
    std::vector<std::size_t> counts;
    std::size_t next = 0;
    for (const ScoreSpan &span : spans.value_or(std::vector<ScoreSpan>())) {
        EXPECT_EQ(span.first, next);
        next += span.count;
        counts.push_back(span.count);
    }
    return counts;
}

TEST(ScoreSpans, CoverAllFrames) {
    Report report;
    report.scores = video({0, 2, 2, 40, 3, 1, 30});
    EXPECT_THAT(counts_of(report, SpanKind::shot), ElementsAre(3, 3, 1));
    report.video_rate = 2.5;
    EXPECT_THAT(counts_of(report, SpanKind::second), ElementsAre(3, 2, 2));
    report.first_frame = 1; // of the reference
    EXPECT_THAT(counts_of(report, SpanKind::second), ElementsAre(2, 2, 3));
    report.scores.frames.erase(report.scores.frames.begin() + 2, report.scores.frames.begin() + 5);
    EXPECT_THAT(counts_of(report, SpanKind::second), ElementsAre(2, 2)) << "a second may lack frames, and all of them";
}

TEST(ScoreSpans, NeedTimesOrMotion) {
    Report report;
    report.scores = video({0, 2});
    EXPECT_THAT(cut_into_spans(report, SpanKind::second).error().message, HasSubstr("no frame rate"));
    report.scores.sources = {"psnr", "psnr", "psnr"};
    EXPECT_THAT(cut_into_spans(report, SpanKind::shot).error().message, HasSubstr("add --feature motion"));
}

TEST(ScoreSpans, HaveATableForTerminals) {
    Report report;
    report.scores = video({0, 2, 2, 40, 3});
    report.video_rate = 25;
    EXPECT_EQ(spans_table(report, 2, {{0, 3}, {3, 2}}, SpanKind::shot), &R"(
per shot                 time   frames     vmaf      min
frame 0           0:00:00.000        3  51.0000  50.0000
frame 3           0:00:00.120        2  53.5000  53.0000
)"[1]);
}

} // namespace
} // namespace isovmaf
