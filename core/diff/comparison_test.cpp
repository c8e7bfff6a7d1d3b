// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/comparison.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/ulp.hpp"

namespace isovmaf::diff::comparison_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double next(double value, int steps = 1) {
    for (int i = 0; i < steps; i++)
        value = std::nextafter(value, infinity);
    return value;
}

/// Two features, one of them with two scores, and a model.
const std::vector<std::string> names{"vif_scale0", "vif_scale1", "motion2", "vmaf"};
const std::vector<std::string> sources{"vif", "vif", "motion", "vmaf"};
const std::vector<double> scores{0.25, 0.5, 3.0, 95.5};
const std::vector<FeatureWords> sums{{"vif", {10, 20, 30}}, {"motion", {-7}}};

FrameScores scored(std::int64_t frame) { return {frame, scores, sums}; }

class ComparisonTest : public ::testing::Test {
  protected:
    ComparisonTest() { comparison_.start("some pictures", names, sources); }

    /// The reference and two sides; `change` them.
    template <class Change>
    void add(std::int64_t frame, Change change) {
        FrameOnSides sides(3, scored(frame));
        change(sides);
        comparison_.add_frame(sides);
    }
    void add_equal(std::int64_t frame) {
        add(frame, [](const FrameOnSides &) {});
    }

    DiffResult finish() {
        DiffResult result;
        std::move(comparison_).finish(result);
        return result;
    }

    static const Tally &tally(const DiffResult &result, std::string_view side, std::string_view subject) {
        for (const Tally &one : result.tallies)
            if (one.side == side && one.subject == subject)
                return one;
        throw std::runtime_error("no such tally");
    }

    std::vector<std::string> suspects() const {
        std::vector<std::string> all;
        for (const Suspect &suspect : comparison_.suspects())
            all.push_back(std::to_string(suspect.side) + " " + suspect.feature + " " + std::to_string(suspect.frame));
        return all;
    }

    Comparison comparison_{{"cpu-ref", "cpu", "hip:0"}};
};

TEST_F(ComparisonTest, CountsEverySideAndSubjectInTheOrderTheyCame) {
    add_equal(0);
    add_equal(1);
    const DiffResult result = finish();
    std::vector<std::string> order;
    for (const Tally &one : result.tallies)
        order.push_back(one.subject + "@" + one.side + " " + one.exactness + " " + std::to_string(one.values) + "+" +
                        std::to_string(one.words));
    EXPECT_THAT(order, ElementsAre("vif@cpu bitwise 4+6", "vif@hip:0 bitwise 4+6", "motion@cpu bitwise 2+2",
                                   "motion@hip:0 bitwise 2+2", "vmaf@cpu  2+0", "vmaf@hip:0  2+0"));
    EXPECT_EQ(result.frames, 2);
    EXPECT_EQ(result.values, 2 * 2 * 4);
    EXPECT_EQ(result.words, 2 * 2 * 4);
    EXPECT_EQ(result.different, 0);
}

TEST_F(ComparisonTest, ValuesAreComparedAsBits) {
    EXPECT_EQ(comparison_.add_value(1, "vif", "a", 0, 0.0, -0.0), 1U) << "though they compare equal";
    EXPECT_EQ(comparison_.add_value(1, "vif", "b", 0, nan, nan), 0U) << "though they compare unequal";
    EXPECT_EQ(comparison_.add_value(1, "vif", "c", 0, nan, -nan), 1U) << "two kinds of NaN";
    EXPECT_EQ(comparison_.add_value(1, "vif", "d", 0, infinity, infinity), 0U);
    EXPECT_EQ(comparison_.add_value(1, "vif", "e", 0, 1.0, nan), beyond_ulp);
    const Tally counts = tally(finish(), "cpu", "vif");
    EXPECT_EQ(counts.values, 5);
    EXPECT_EQ(counts.different, 3);
    EXPECT_EQ(counts.max_ulp, beyond_ulp);
}

TEST_F(ComparisonTest, TheHistogramHasPowersOfTwo) {
    for (const int steps : {0, 0, 1, 2, 3, 4, 7, 8})
        comparison_.add_value(2, "vif", "a", 0, 0.25, next(0.25, steps));
    comparison_.add_value(2, "vif", "a", 0, 0.25, infinity);
    const DiffResult result = finish();
    const UlpHistogram &histogram = tally(result, "hip:0", "vif").histogram;
    UlpHistogram expected{2, 1, 2, 2, 1};
    expected.back() = 1;
    EXPECT_EQ(histogram, expected);
}

TEST_F(ComparisonTest, TheGreatestDistanceIsKeptInBothPrecisions) {
    comparison_.add_value(1, "vif", "a", 0, 0.25, next(0.25, 5));
    EXPECT_EQ(comparison_.add_value(1, "vif", "a", 1, 0.25, std::nextafter(0.25F, 1.0F)), 1ULL << 29);
    comparison_.add_value(1, "vif", "a", 2, 0.25, next(0.25, 3));
    comparison_.add_value(1, "motion", "b", 2, 0.25, next(0.25, 3));
    const DiffResult result = finish();
    EXPECT_EQ(tally(result, "cpu", "vif").max_ulp, 1ULL << 29);
    EXPECT_EQ(tally(result, "cpu", "vif").max_ulp_f32, 1U);
    EXPECT_EQ(tally(result, "cpu", "motion").max_ulp, 3U);
    EXPECT_EQ(tally(result, "cpu", "motion").max_ulp_f32, 0U) << "equal when rounded to f32";
}

TEST_F(ComparisonTest, TheFirstDifferenceIsKept) {
    add_equal(4);
    add(5, [](FrameOnSides &sides) { sides[2].scores[1] = next(0.5, 2); });
    add(6, [](FrameOnSides &sides) { sides[2].scores[0] = 0.75; });
    const DiffResult result = finish();
    EXPECT_FALSE(tally(result, "cpu", "vif").first);
    const Tally &counts = tally(result, "hip:0", "vif");
    EXPECT_EQ(counts.different, 2);
    ASSERT_TRUE(counts.first);
    EXPECT_EQ(counts.first->content, "some pictures");
    EXPECT_EQ(counts.first->frame, 5);
    EXPECT_EQ(counts.first->score, "vif_scale1");
    EXPECT_EQ(counts.first->expected, 0.5);
    EXPECT_EQ(counts.first->found, next(0.5, 2));
    EXPECT_EQ(counts.first->ulp, 2U);
    EXPECT_EQ(counts.first->ulp_f32, 0U);
}

TEST_F(ComparisonTest, IntegersAreCountedThoughTheScoresAreEqual) {
    add(0, [](FrameOnSides &sides) {
        sides[1].words[0].words = {10, 21, 31};
        sides[1].words[1].words = {7};
    });
    EXPECT_THAT(suspects(), ElementsAre("1 vif 0", "1 motion 0"));
    const DiffResult result = finish();
    EXPECT_EQ(tally(result, "cpu", "vif").different, 0);
    EXPECT_EQ(tally(result, "cpu", "vif").words, 3);
    EXPECT_EQ(tally(result, "cpu", "vif").words_different, 2);
    EXPECT_EQ(tally(result, "cpu", "motion").words_different, 1);
    EXPECT_EQ(tally(result, "hip:0", "vif").words_different, 0);
    EXPECT_EQ(result.different, 3);
}

TEST_F(ComparisonTest, TheFirstWordThatDiffersIsNamed) {
    comparison_.start("float pictures", names, sources,
                      {{"motion", {{"difference"}}},
                       {"vif", {{"numerator"}, {"entropy", WordKind::f32, SumOrder::raster}, {"denominator"}}}});
    add_equal(3);
    add(4, [](FrameOnSides &sides) {
        sides[1].words[0].words = {10, 21, 31};
        sides[1].words[1].words = {7};
    });
    add(5, [](FrameOnSides &sides) { sides[1].words[0].words[0] = 0; });
    const DiffResult result = finish();
    const Tally &counts = tally(result, "cpu", "vif");
    ASSERT_TRUE(counts.first_word);
    EXPECT_EQ(counts.first_word->content, "float pictures");
    EXPECT_EQ(counts.first_word->frame, 4);
    EXPECT_EQ(counts.first_word->word, "entropy");
    EXPECT_EQ(counts.first_word->kind, WordKind::f32);
    EXPECT_EQ(counts.first_word->expected, 20);
    EXPECT_EQ(counts.first_word->found, 21);
    EXPECT_EQ(tally(result, "cpu", "motion").first_word->word, "difference");
    EXPECT_FALSE(tally(result, "hip:0", "vif").first_word);
}

TEST_F(ComparisonTest, WordsWithoutNamesAreNumbered) {
    add(0, [](FrameOnSides &sides) { sides[1].words[0].words[2] = 0; });
    EXPECT_EQ(tally(finish(), "cpu", "vif").first_word->word, "word 2");
}

TEST_F(ComparisonTest, LargeIntegersAreComparedInEveryBit) {
    constexpr std::int64_t large = (std::int64_t{1} << 53) + 1; // no double has it
    add(0, [](FrameOnSides &sides) {
        for (FrameScores &side : sides)
            side.words[1].words = {large};
        sides[2].words[1].words = {large - 1};
    });
    EXPECT_EQ(tally(finish(), "hip:0", "motion").words_different, 1);
}

TEST_F(ComparisonTest, StripsShowTheWorstOfEachFrame) {
    add_equal(0);
    add(1, [](FrameOnSides &sides) {
        sides[1].scores[0] = next(0.25, 1);
        sides[1].scores[2] = next(3.0, 5);
        sides[2].words[0].words[0] = 0;
    });
    add(2, [](FrameOnSides &sides) { sides[2].scores[3] = nan; });
    const DiffResult result = finish();
    ASSERT_EQ(result.strips.size(), 2U) << "the first side has none";
    EXPECT_EQ(result.strips[0].side, "cpu");
    EXPECT_THAT(result.strips[0].worst, ElementsAre(0, 3, 0));
    EXPECT_EQ(result.strips[1].side, "hip:0");
    EXPECT_THAT(result.strips[1].worst, ElementsAre(0, 1, 65)) << "words alone: 1; beyond all numbers: the last";
}

TEST_F(ComparisonTest, AFeatureIsSuspectedOncePerSide) {
    const auto vif_differs = [](FrameOnSides &sides) { sides[2].scores[0] = sides[2].scores[1] = 0; };
    add(3, vif_differs);
    add(4, [&](FrameOnSides &sides) {
        vif_differs(sides);
        sides[1].words[0].words[2]++;
    });
    EXPECT_THAT(suspects(), ElementsAre("2 vif 3", "1 vif 4"));
    comparison_.start("other pictures", names, sources);
    EXPECT_THAT(suspects(), IsEmpty());
    add(0, vif_differs);
    EXPECT_THAT(suspects(), ElementsAre("2 vif 0"));
    EXPECT_EQ(comparison_.content(), "other pictures");
}

TEST_F(ComparisonTest, ModelsAndWholeVideosAreNoSuspects) {
    add(0, [](FrameOnSides &sides) { sides[1].scores[3] = 1; });
    comparison_.add_aggregates(1, {{"apsnr_y", 40.0}}, {{"apsnr_y", 41.0}});
    EXPECT_THAT(suspects(), IsEmpty()) << "there are no stages to look into";
    EXPECT_EQ(finish().different, 2);
}

TEST_F(ComparisonTest, AggregatesAreValuesOfTheWholeVideo) {
    comparison_.add_aggregates(2, {{"apsnr_y", 40.0}, {"apsnr_cb", 50.0}}, {{"apsnr_y", 40.0}, {"apsnr_cb", -0.0}});
    const DiffResult result = finish();
    ASSERT_EQ(result.tallies.size(), 1U);
    const Tally &counts = result.tallies[0];
    EXPECT_EQ(counts.side, "hip:0");
    EXPECT_EQ(counts.subject, whole_video);
    EXPECT_EQ(counts.exactness, "");
    EXPECT_EQ(counts.values, 2);
    EXPECT_EQ(counts.different, 1);
    EXPECT_EQ(counts.first->score, "apsnr_cb");
    EXPECT_THAT(result.strips, IsEmpty());
}

TEST_F(ComparisonTest, DistancesThatAreKnownAreTaken) {
    comparison_.add_distance(1, "vif", {"", 3, "mean of vif_scale0", 0.5, 0.75, 12, 4});
    comparison_.add_frames(6);
    const DiffResult result = finish();
    EXPECT_EQ(result.frames, 6);
    EXPECT_EQ(tally(result, "cpu", "vif").max_ulp, 12U);
    EXPECT_EQ(tally(result, "cpu", "vif").max_ulp_f32, 4U);
    EXPECT_EQ(tally(result, "cpu", "vif").histogram[4], 1);
}

TEST_F(ComparisonTest, FinishAddsToWhatIsThere) {
    add(0, [](FrameOnSides &sides) {
        sides[1].scores[0] = sides[2].scores[2] = 0;
        sides[2].words[1].words[0] = 1;
    });
    DiffResult result;
    result.frames = 10;
    result.values = 100;
    result.words = 1000;
    result.different = 5;
    std::move(comparison_).finish(result);
    EXPECT_EQ(result.frames, 11);
    EXPECT_EQ(result.values, 108);
    EXPECT_EQ(result.words, 1008);
    EXPECT_EQ(result.different, 8);
}

TEST_F(ComparisonTest, NothingAddedIsNothingFound) {
    const DiffResult result = finish();
    EXPECT_EQ(result.frames + result.values + result.words + result.different, 0);
    EXPECT_THAT(result.tallies, IsEmpty());
    EXPECT_THAT(result.strips, IsEmpty());
}

} // namespace
} // namespace isovmaf::diff::comparison_test
