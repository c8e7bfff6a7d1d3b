// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/feature_set.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "features/registry.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::feature_set_test {

namespace {

const FeatureDescriptor &motion = *find_feature("motion");

OptionSet options(const OptionTexts &texts) { return *OptionSet::parse("motion", motion.options, texts); }

TEST(FeatureSet, EqualRequestsBecomeOne) {
    FeatureSet set;
    ASSERT_TRUE(set.add(motion, options({})));
    ASSERT_TRUE(set.add(motion, options({{"mmxv", "10000.0"}})));
    ASSERT_TRUE(set.add(motion, options({{"debug", "true"}})));
    ASSERT_TRUE(set.add(motion, options({{"mmxv", "18"}})));
    ASSERT_EQ(set.entries().size(), 1u);
    ASSERT_EQ(set.entries()[0].option_sets.size(), 2u);
    EXPECT_TRUE(set.entries()[0].option_sets[0].flag("debug"));
}

TEST(FeatureSet, ScoresOfOneNameAreRefused) {
    const FeatureDescriptor &cambi = *find_feature("cambi");
    const auto set_of = [&](const std::vector<OptionTexts> &option_sets) {
        FeatureSet set;
        for (const OptionTexts &texts : option_sets)
            EXPECT_TRUE(set.add(cambi, value_of(OptionSet::parse("cambi", cambi.options, texts))));
        return set;
    };
    const PlanContext context{.format = {.width = 240, .height = 64}};
    const auto one = make_plan(set_of({{{"full_ref", "true"}, {"topk", "0.5"}}, {}}), context);
    ASSERT_TRUE(one);
    EXPECT_THAT(one->columns, ::testing::ElementsAre("cambi_topk_0.5", "cambi_source", "cambi_full_reference",
                                                     "Cambi_feature_cambi_score"));
    const auto two = make_plan(set_of({{{"full_ref", "true"}, {"topk", "0.5"}}, {{"full_ref", "true"}}}), context);
    ASSERT_FALSE(two);
    EXPECT_NE(two.error().message.find("cambi_source"), std::string::npos);
}

TEST(FeatureSet, PlanNamesColumnsInOrder) {
    FeatureSet set;
    ASSERT_TRUE(set.add(motion, options({})));
    ASSERT_TRUE(set.add(motion, options({{"mffw", "true"}})));
    const auto plan = make_plan(set, {.format = {.width = 64, .height = 64}});
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->features.size(), 1u);
    EXPECT_EQ(plan->features[0].plan.earlier.reference, 2);
    EXPECT_EQ(plan->columns[0], "VMAF_integer_feature_motion_sad_score");
    EXPECT_EQ(plan->columns[plan->features[0].columns[1][1]], "integer_motion2_mffw");
}

TEST(FeatureSet, TooSmallPicturesAreRefusedWithTheMinimum) {
    FeatureSet set;
    ASSERT_TRUE(set.add(motion, options({})));
    const auto plan = make_plan(set, {.format = {.width = 64, .height = 2}});
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().code, ErrorCode::unsupported);
    EXPECT_EQ(plan.error().message, "feature motion needs pictures of at least 3x3, but the video is 64x2");
}

using ::testing::ElementsAre;

SessionOptions session_of(const std::vector<std::string> &requests) {
    SessionOptions options{.format = {.width = 64, .height = 64}};
    for (const std::string &text : requests)
        options.scoring.features.push_back(value_of(FeatureRequest::parse(text)));
    return options;
}

/// The features of the columns of a libvmaf report; neighbouring columns of one feature count once.
std::vector<std::string> printed_features(const SessionOptions &options, int threads) {
    const Session session = value_of(Session::create(options));
    std::vector<std::string> sources;
    for (const std::size_t index : session.libvmaf_order(threads))
        sources.push_back(session.score_sources()[index]);
    sources.erase(std::ranges::unique(sources).begin(), sources.end());
    return sources;
}

TEST(LibvmafOrder, IsThatOfRequestsWithDelayedScoresAtTheEnd) {
    const SessionOptions options = session_of({"vif", "motion", "vif:vif_enhn_gain_limit=1", "psnr"});
    EXPECT_THAT(printed_features(options, 0), ElementsAre("vif", "motion", "vif", "psnr", "motion"));
    EXPECT_THAT(printed_features(session_of({"motion:motion_force_zero=true", "psnr"}), 0),
                ElementsAre("motion", "psnr", "motion"))
        << "also where no score needs a later frame";
}

TEST(LibvmafOrder, DependsOnThreadsAndSubsampling) {
    SessionOptions options = session_of({"vif", "motion", "psnr"});
    EXPECT_THAT(printed_features(options, 1), ElementsAre("psnr", "vif", "motion"));
    EXPECT_THAT(printed_features(options, 2), ElementsAre("psnr", "vif", "motion"));
    options.scoring.subsample = 2;
    EXPECT_THAT(printed_features(options, 1), ElementsAre("psnr", "vif", "motion"));
    EXPECT_THAT(printed_features(options, 2), ElementsAre("psnr", "motion", "vif", "motion"));
}

TEST(LibvmafOrder, EndsWithModels) {
    SessionOptions options = session_of({"psnr"});
    options.scoring.models = {{.name = "a"}, {.version = "vmaf_v0.6.1neg", .name = "b"}};
    EXPECT_THAT(printed_features(options, 0),
                ElementsAre("adm", "motion", "vif", "adm", "vif", "psnr", "motion", "a", "b"));
}

TEST(LibvmafOrder, HasMembersOfCollectionsBehindAllModels) {
    SessionOptions options = session_of({"psnr"});
    options.scoring.models = {
        {.version = "vmaf_b_v0.6.3", .name = "b"}, {.name = "a"}, {.version = "vmaf_b_v0.6.3", .name = "c"}};
    const Session session = value_of(Session::create(options));
    std::vector<std::string> models;
    for (const std::size_t index : session.libvmaf_order())
        if (index >= session.feature_score_count())
            models.push_back(session.score_names()[index]);
    ASSERT_EQ(models.size(), 3u + 2 * 24);
    const std::vector<std::string> behind{models.begin() + 3, models.end()};
    EXPECT_THAT(std::vector(models.begin(), models.begin() + 3), ElementsAre("b", "a", "c"));
    EXPECT_EQ(behind[0], "b_0001");
    EXPECT_EQ(behind[23], "b_ci_p95_hi");
    EXPECT_EQ(behind[24], "c_0001");
    EXPECT_EQ(behind[47], "c_ci_p95_hi");
}

} // namespace

} // namespace isovmaf::feature_set_test
