// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/option.hpp"

#include <gtest/gtest.h>

#include "features/registry.hpp"

namespace isovmaf::option_test {

namespace {

constexpr std::string_view shapes[] = {"box", "gauss"};

const OptionSpec specs[] = {
    {"gain_limit", "egl", "", 100.0, 1, 100},
    {"display_height", "rdh", "", 1080, 1, 4320},
    {"skip", "", "", false},
    {"debug", "", "", false, 0, 0, Naming::plain},
    {"min_sse", "", "", 0.0, 0, 10, Naming::plain},
    {"window", "win", "", std::string("box"), 0, 0, Naming::in_name, shapes},
    {"remark", "", "", std::string(), 0, 0, Naming::plain},
    {"encode_width", "", "", 0, 180, 7680},
};

TEST(OptionSet, NamesAndAliasesSetValues) {
    const auto set = OptionSet::parse("f", specs, {{"egl", "1.0"}, {"display_height", "2160"}, {"skip", "true"}});
    ASSERT_TRUE(set);
    EXPECT_EQ(set->number("gain_limit"), 1.0);
    EXPECT_EQ(set->integer("display_height"), 2160);
    EXPECT_TRUE(set->flag("skip"));
    EXPECT_FALSE(set->flag("debug"));
}

TEST(OptionSet, MistakesAreNamed) {
    const std::pair<OptionTexts, const char *> cases[] = {
        {{{"elg", "1"}}, "has no option \"elg\""},
        {{{"egl", "0.5"}}, "a number from 1 to 100"},
        {{{"egl", "nan"}}, "a number from 1 to 100"},
        {{{"rdh", "10.5"}}, "an integer from 1 to 4320"},
        {{{"rdh", ""}}, "an integer from 1 to 4320"},
        {{{"skip", "1"}}, "true or false"},
        {{{"win", "round"}}, "option window of feature f takes box, gauss, not \"round\""},
        {{{"win", ""}}, "takes box, gauss, not"},
        {{{"egl", "1"}, {"gain_limit", "2"}}, "given twice"},
    };
    for (const auto &[texts, message] : cases) {
        const auto set = OptionSet::parse("f", specs, texts);
        ASSERT_FALSE(set) << message;
        EXPECT_NE(set.error().message.find(message), std::string::npos) << set.error().message;
    }
}

TEST(OptionSet, TextOptionsTakeTheirWordsOrAnyText) {
    EXPECT_EQ(OptionSet::parse("f", specs, {{"win", "gauss"}})->text(), "window=gauss");
    EXPECT_EQ(OptionSet::parse("f", specs, {{"remark", "any text"}})->text(), "remark=any text");
    EXPECT_EQ(OptionSet::parse("f", specs, {{"win", "gauss"}})->words("window"), "gauss");
}

TEST(OptionSet, DefaultsMayLieOutsideTheRange) {
    EXPECT_EQ(OptionSet::parse("f", specs, {{"encode_width", "0"}})->integer("encode_width"), 0);
    EXPECT_EQ(OptionSet::parse("f", specs, {{"encode_width", "180"}})->integer("encode_width"), 180);
    for (const char *const width : {"1", "179", "-1", "7681"})
        EXPECT_FALSE(OptionSet::parse("f", specs, {{"encode_width", width}})) << width;
}

TEST(OptionSet, TheTextHasWhatDiffersFromTheDefaultsAndReadsBack) {
    EXPECT_EQ(OptionSet(specs).text(), "");
    const auto set =
        *OptionSet::parse("f", specs, {{"win", "gauss"}, {"skip", "true"}, {"egl", "1.50"}, {"rdh", "1080"}});
    EXPECT_EQ(set.text(), "gain_limit=1.5:skip=true:window=gauss");
    const auto request = FeatureRequest::parse("f:" + set.text());
    ASSERT_TRUE(request);
    EXPECT_EQ(request->options, set.changed());
    EXPECT_EQ(OptionSet::parse("f", specs, request->options)->text(), set.text());
}

TEST(OptionSet, NumbersPassThroughSingleFloatText) {
    EXPECT_EQ(normalise_option_text("17.0"), "17");
    EXPECT_EQ(normalise_option_text("1.23456789"), "1.23457");
    EXPECT_EQ(normalise_option_text("bilinear"), "bilinear");
    EXPECT_EQ(OptionSet::parse("f", specs, {{"egl", "1.23456789"}})->number("gain_limit"), 1.23457);
}

TEST(OptionSet, PlainOptionsMergeUnlessTheyConflict) {
    auto set = *OptionSet::parse("f", specs, {});
    const auto debug = *OptionSet::parse("f", specs, {{"debug", "true"}, {"min_sse", "1"}});
    ASSERT_TRUE(set.merge_plain_options("f", debug));
    EXPECT_TRUE(set.flag("debug"));
    EXPECT_FALSE(set.merge_plain_options("f", *OptionSet::parse("f", specs, {{"min_sse", "2"}})));
}

std::string motion3_name(const OptionTexts &texts) {
    return stored_name("VMAF_integer_feature_motion3_score", "integer_motion3",
                       *OptionSet::parse("motion", find_feature("motion")->options, texts));
}

TEST(Naming, OptionsAtTheirDefaultsLeaveTheBaseName) {
    EXPECT_EQ(motion3_name({}), "VMAF_integer_feature_motion3_score");
    EXPECT_EQ(motion3_name({{"motion_max_val", "10000.0"}, {"debug", "true"}}), "VMAF_integer_feature_motion3_score");
}

TEST(Naming, OtherOptionsAppendAliasAndValueInNameOrder) {
    EXPECT_EQ(motion3_name({{"mmxv", "18.0"}}), "integer_motion3_mmxv_18");
    EXPECT_EQ(motion3_name({{"motion_moving_average", "true"}, {"mmxv", "18"}, {"mffw", "true"}}),
              "integer_motion3_mffw_mmxv_18_mma");
}

TEST(Naming, ReportsPrintTheAlias) {
    EXPECT_EQ(report_name("VMAF_integer_feature_motion2_score"), "integer_motion2");
    EXPECT_EQ(report_name("VMAF_integer_feature_motion_sad_score"), "VMAF_integer_feature_motion_sad_score");
    EXPECT_EQ(report_name("integer_motion3_mmxv_18"), "integer_motion3_mmxv_18");
}

TEST(Registry, FindsFeaturesByNameAndByOutput) {
    EXPECT_EQ(find_feature("nothing"), nullptr);
    EXPECT_EQ(find_feature_of_output("VMAF_integer_feature_motion3_score"), find_feature("motion"));
    EXPECT_EQ(find_feature_of_output("integer_motion3"), find_feature("motion"));
    EXPECT_EQ(find_feature_of_output("speed_chroma"), nullptr);
}

} // namespace

} // namespace isovmaf::option_test
