// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/bootstrap_model.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "model/testing/model_text.hpp"

namespace isovmaf {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::SizeIs;

std::vector<double> scores_of(const nlohmann::json &file, const ModelRequest &request) {
    const auto model = parse_model(file.dump(), request, "test.json");
    EXPECT_TRUE(model) << model.error().message;
    std::vector<double> scores((*model)->outputs().size());
    (*model)->predict(std::vector<double>(2), scores);
    return scores;
}

TEST(Percentile, InterpolatesBetweenNeighbours) {
    const double scores[] = {1, 2, 4, 8, 16};
    EXPECT_EQ(percentile(scores, 0), 1);
    EXPECT_EQ(percentile(scores, 25), 2);
    EXPECT_EQ(percentile(scores, 62.5), 6);
    EXPECT_EQ(percentile(scores, 100), 16);
    EXPECT_EQ(percentile(std::span(scores).first(1), 97.5), 1);
}

TEST(BootstrapModel, NamesMembersAndStatistics) {
    const auto model = parse_model(small_collection(2).dump(), {.name = "v"}, "test.json");
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->name(), "v");
    EXPECT_THAT((*model)->inputs(), SizeIs(2));
    EXPECT_THAT((*model)->outputs(),
                ElementsAre("v", "v_0001", "v_0002", "v_bagging", "v_stddev", "v_ci_p95_lo", "v_ci_p95_hi"));
}

TEST(BootstrapModel, NumbersMembersInTheOrderOfTheirNumbers) {
    const auto model = parse_model(small_collection(11).dump(), {}, "test.json");
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->outputs()[11], "vmaf_0011");
    EXPECT_EQ(scores_of(small_collection(11), {})[11], 5.25 + 11);
}

// Model k gives 5.25 + k.
TEST(BootstrapModel, StatisticsAreOfTheMembersAlone) {
    const std::vector<double> scores = scores_of(small_collection(3), {});
    const double slope = ((7.25 + 0.01) - (7.25 - 0.01)) / 0.02;
    EXPECT_THAT(scores, ElementsAreArray({5.25, 6.25, 7.25, 8.25, 7.25, std::sqrt(2.0 / 3) * slope,
                                          6.25 * (1 - 0.05) + 7.25 * 0.05, 7.25 * (2 - 1.95) + 8.25 * (1.95 - 1)}));
}

// The file's transform doubles and adds one; member 1 speaks for the statistics.
TEST(BootstrapModel, StatisticsPassTransformAndClipOfTheFirstMember) {
    nlohmann::json file = small_collection(3);
    file["1"]["model_dict"]["score_clip"] = {0, 15};
    const std::vector<double> scores = scores_of(file, {.enable_transform = true});
    EXPECT_THAT(std::span(scores).first(5), ElementsAre(11.5, 13.5, 15.5, 17.5, 15));
    EXPECT_EQ(scores[5], 0); // the clip is level at the mean
    EXPECT_EQ(scores[7], 15);
    EXPECT_EQ(scores_of(file, {.enable_transform = true, .disable_clip = true})[4], 15.5);
}

TEST(BootstrapModel, FlagsReachEveryMember) {
    nlohmann::json file = small_collection(2);
    for (auto &entry : file.items())
        entry.value()["model_dict"]["score_clip"] = {0, 1};
    EXPECT_THAT(scores_of(file, {}), ElementsAre(1, 1, 1, 1, 0, 1, 1));
    const std::vector<double> open = scores_of(file, {.disable_clip = true});
    EXPECT_THAT(std::span(open).first(4), ElementsAre(5.25, 6.25, 7.25, 6.75));
}

} // namespace
} // namespace isovmaf
