// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/worst_frames.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"

namespace isovmaf::worst_frames_test {
namespace {

using testing::ElementsAre;

constexpr VideoFormat format{32, 24};

/// Scores a video whose scores arrive `delay` frames late.
std::vector<WorstFrame> worst_of(const std::vector<double> &scores, WorstFrames::Options options,
                                 std::size_t delay = 2) {
    WorstFrames worst(std::move(options));
    const auto score = [&](std::size_t n) {
        if (n % static_cast<std::size_t>(options.subsample) == 0)
            worst.scored({.frame = static_cast<std::int64_t>(n), .scores = {-1, scores[n]}});
    };
    for (std::size_t n = 0; n < scores.size(); n++) {
        const auto level = static_cast<std::uint32_t>(100 + n);
        worst.pushed({constant_frame(format, 100), constant_frame(format, level)});
        if (n >= delay)
            score(n - delay);
    }
    for (std::size_t n = scores.size() - std::min(delay, scores.size()); n < scores.size(); n++)
        score(n);
    return worst.finish({});
}

std::vector<std::int64_t> numbers(const std::vector<WorstFrame> &frames) {
    std::vector<std::int64_t> out;
    for (const WorstFrame &frame : frames)
        out.push_back(frame.frame);
    return out;
}

WorstFrames::Options options_of(std::size_t count, std::int64_t distance, int subsample = 1) {
    return {.column = 1, .count = count, .distance = distance, .subsample = subsample};
}

TEST(WorstFrames, AreInTheOrderOfTheirScores) {
    EXPECT_THAT(numbers(worst_of({50, 20, 90, 10, 20, 70}, options_of(3, 1))), ElementsAre(3, 1, 4));
    EXPECT_THAT(numbers(worst_of({50}, options_of(3, 1))), ElementsAre(0));
    EXPECT_TRUE(worst_of({}, options_of(3, 1)).empty());
}

TEST(WorstFrames, KeepTheirDistance) {
    EXPECT_THAT(numbers(worst_of({50, 40, 30, 31, 32, 33, 80, 90, 5, 6}, options_of(9, 3))), ElementsAre(8, 2, 5));
    EXPECT_THAT(numbers(worst_of({50, 40, 30, 31, 32, 33, 80, 5, 6}, options_of(9, 3))), ElementsAre(7, 2));
}

TEST(WorstFrames, CountNoNumberAsTheWorst) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(numbers(worst_of({3, 1, nan, 2}, options_of(2, 1))), ElementsAre(2, 1));
}

TEST(WorstFrames, HavePicturesOfTheirOwnFrame) {
    for (const int subsample : {1, 2}) {
        const auto frames = worst_of({9, 9, 9, 9, 1, 9, 2, 9}, options_of(2, 1, subsample), 3);
        ASSERT_THAT(numbers(frames), ElementsAre(4, 6));
        EXPECT_EQ(frames[0].width, format.width);
        EXPECT_EQ(frames[0].difference_factor, 32); // the frames differ by 4 levels
        EXPECT_EQ(frames[1].difference_factor, 32);
        EXPECT_EQ(frames[0].reference, frames[1].reference);
        for (const WorstFrame &frame : frames)
            for (const std::string &jpeg : {frame.reference, frame.distorted, frame.difference})
                EXPECT_TRUE(jpeg.starts_with("\xff\xd8\xff"));
        EXPECT_NE(frames[0].distorted, frames[1].distorted);
    }
}

/// Maps that show how bright the distorted frame is.
TEST(WorstFrames, HaveTheMapsOfTheirOwnFrameWhereAFeatureHasMaps) {
    WorstFrames::Options options = options_of(2, 1);
    int made = 0;
    options.maps = [&](const FramePair &pair) -> std::vector<MapShares> {
        made++;
        return {{1, 1, {pair.distorted.plane(0).row<std::uint8_t>(0)[0] / 255.f}}};
    };
    const auto frames = worst_of({9, 9, 1, 2, 9, 1, 9}, options);
    ASSERT_THAT(numbers(frames), ElementsAre(2, 5));
    EXPECT_TRUE(frames[0].map.starts_with("\xff\xd8\xff"));
    EXPECT_TRUE(frames[1].map.starts_with("\xff\xd8\xff"));
    EXPECT_NE(frames[0].map, frames[1].map);
    EXPECT_EQ(made, 5); // of frames that were among the worst so far
    EXPECT_EQ(worst_of({1}, options_of(1, 1))[0].map, "");
}

TEST(WorstFrames, HoldABoundedNumberOfFrames) {
    std::vector<double> scores(400, 50);
    scores[3] = 1;
    scores[390] = 2;
    const auto frames = worst_of(scores, options_of(2, 1), scores.size()); // all scores arrive at the end
    ASSERT_THAT(numbers(frames), ElementsAre(3, 390));
    EXPECT_EQ(frames[0].reference, "");
    EXPECT_NE(frames[1].reference, "");
}

} // namespace
} // namespace isovmaf::worst_frames_test
