// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/scoring.hpp"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "engine/testing/extracted_words.hpp"
#include "engine/testing/session_scores.hpp"

namespace isovmaf::testing::scoring_test {
namespace {

constexpr VideoFormat format{.width = 64, .height = 48};

/// Scores words that were extracted before, without pictures.
ScoreTable score_words(const SessionOptions &options, const WordsByFrame &words) {
    const RequestedScores requested = load_requested(options.scoring, options.format.height).value();
    const EnginePlan plan = *make_plan(requested.features, {options.format, options.scoring.semantics});
    Scoring scoring(plan, *bind_models(requested.models, plan), options.scoring.subsample);
    for (const auto &[frame, rows] : words) {
        const std::vector<ConstWords> views(rows.begin(), rows.end());
        scoring.take({frame, views});
    }
    scoring.end();
    return scoring.table();
}

void expect_equal(const ScoreTable &found, const Result<Outcome> &expected) {
    ASSERT_TRUE(expected) << expected.error().message;
    expect_equal(Outcome{found.frames, found.aggregates, {}}, expected);
}

SessionOptions everything() {
    SessionOptions options = on_cpu(format);
    options.scoring.features.push_back({"psnr", {{"enable_apsnr", "true"}}});
    return options;
}

TEST(Scoring, GivesFromWordsWhatASessionGivesFromPictures) {
    const std::vector<FramePair> clip = clip_of(format, 7);
    const ScoreTable scores = score_words(everything(), extract_words(everything(), clip, 0, 7));
    EXPECT_FALSE(scores.aggregates.empty());
    expect_equal(scores, score(everything(), clip));
}

TEST(Scoring, SkipsFramesThatWereExtractedForNothing) {
    const std::vector<FramePair> clip = clip_of(format, 7);
    const WordsByFrame all = extract_words(everything(), clip, 0, 7);
    SessionOptions options = everything();
    options.scoring.subsample = 3;
    expect_equal(score_words(options, all), score(options, clip));
}

TEST(Scoring, PoolsAfterTheEndAlone) {
    const SessionOptions options{.format = format, .scoring = {.features = {{"psnr", {}}}}};
    const EnginePlan plan = plan_of(options);
    Scoring scoring(plan, {}, 1);
    const std::array<std::int64_t, 3> words{};
    const std::array<ConstWords, 1> features{words};
    scoring.take({0, features});
    EXPECT_FALSE(scoring.pooled("psnr_y"));
    scoring.end();
    EXPECT_TRUE(scoring.pooled("psnr_y"));
    EXPECT_FALSE(scoring.pooled("psnr_z"));
}

} // namespace
} // namespace isovmaf::testing::scoring_test
