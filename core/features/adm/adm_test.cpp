// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/adm/adm.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "base/workspace.hpp"
#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"
#include "features/testing/mixed_semantics.hpp"

namespace isovmaf::adm_test {
namespace {

using testing::generated_clip;
using testing::mixed_semantics;
using testing::run_feature;
using Values = std::vector<double>;

const std::string adm2 = "VMAF_integer_feature_adm2_score";
const std::string aim = "VMAF_integer_feature_aim_score";
const std::string adm3 = "VMAF_integer_feature_adm3_score";

const OptionTexts neg = {{"egl", "1.0"}};
const OptionTexts v1 = {{"csf", "2"}, {"dlmw", "0.7"}, {"egl", "1"}, {"nw", "0.02"}, {"min", "0.5"}};

constexpr VideoFormat small{.width = 96, .height = 70};

testing::FeatureScores run_one(const OptionTexts &options, const FramePair &pair) {
    return run_feature("adm", {options}, {pair}).front();
}

// --- against the reference
// --------------------------------------------------------------------------------------------

struct Golden {
    VideoFormat format;
    Values adm2, aim, adm3, neg_adm2, v1_adm2, v1_adm3;
};
const Golden golden[] = {
    {{.width = 176, .height = 144, .chroma = Chroma::k420, .bit_depth = 8},
     {0x1.c8cff0f968fa5p-1, 0x1.c4d8cad91d9fbp-1},
     {0x1.fd6b910bece07p-8, 0x1.db5e7f2c2ef8ap-7},
     {0x1.e26a8ceba8904p-1, 0x1.deb5a86e3671ep-1},
     {0x1.c83a402e34d39p-1, 0x1.c4758dda64c3ap-1},
     {0x1.d25c6c392655dp-1, 0x1.cecc4f9a9b1f8p-1},
     {0x1.df3158157f8fp-1, 0x1.dbfcd8aed1a98p-1}},
    {{.width = 352, .height = 288, .chroma = Chroma::k420, .bit_depth = 10},
     {0x1.c8f588b5ae757p-1, 0x1.c48c9e76b2a3cp-1},
     {0x1.00e74619a0efap-7, 0x1.dabd6424938f1p-7},
     {0x1.e278f5cea3f8ep-1, 0x1.de90d473102acp-1},
     {0x1.c840046bcd36ep-1, 0x1.c41a00f64e3d8p-1},
     {0x1.d234f984daa0fp-1, 0x1.ce15b7774d68p-1},
     {0x1.df13e4dcc194p-1, 0x1.db78a8e9a14dp-1}},
    {{.width = 352, .height = 288, .chroma = Chroma::k422, .bit_depth = 12},
     {0x1.c8ee9f015ab3fp-1, 0x1.c4ac544342228p-1},
     {0x1.f7a62a4cbccbbp-8, 0x1.da5775703d15fp-7},
     {0x1.e27fa956609d3p-1, 0x1.dea17b36c0972p-1},
     {0x1.c8469f3f9c012p-1, 0x1.c43c0429d87c8p-1},
     {0x1.d239f09482a7bp-1, 0x1.ce3e06a1f4eedp-1},
     {0x1.df1cb215f5c16p-1, 0x1.db9654a440b82p-1}},
    {{.width = 322, .height = 242, .chroma = Chroma::k444, .bit_depth = 8},
     {0x1.c93b726694947p-1, 0x1.c4eb49f644b43p-1},
     {0x1.ec0fdf63c1d9cp-8, 0x1.d966c3bc86696p-7},
     {0x1.e2b1a953e6886p-1, 0x1.dec2d773a94d4p-1},
     {0x1.c8a0e3d019a73p-1, 0x1.c48f9178e2da2p-1},
     {0x1.d297ca4349da7p-1, 0x1.ce935ae5cd479p-1},
     {0x1.df6264cb54572p-1, 0x1.dbd5ef9c511c1p-1}},
    {{.width = 321, .height = 183, .chroma = Chroma::k420, .bit_depth = 8},
     {0x1.cabb6c6c04638p-1, 0x1.c5e9b61dcf57ap-1},
     {0x1.de4a44a8581d9p-8, 0x1.d483d07db7743p-7},
     {0x1.e37f6bf159d9ap-1, 0x1.df4bd36dec3cep-1},
     {0x1.ca12da97018e1p-1, 0x1.c588d4ef491b4p-1},
     {0x1.d3dc045800a68p-1, 0x1.cf72606201813p-1},
     {0x1.e04c1361c64d1p-1, 0x1.dc779719648d8p-1}},
    {{.width = 256, .height = 256, .chroma = Chroma::k420, .bit_depth = 16},
     {0x1.c86cc07dee644p-1, 0x1.c487f5e206916p-1},
     {0x1.f1d5a074d83bdp-8, 0x1.d7f16b3a8b7e4p-7},
     {0x1.e2448a9e8259ep-1, 0x1.de94181a8e31bp-1},
     {0x1.c7b9d9dd0c186p-1, 0x1.c416d4c988f9fp-1},
     {0x1.d1acd614f3e37p-1, 0x1.ce1bc0d35ae7bp-1},
     {0x1.debab0c9812c4p-1, 0x1.db7fe31777152p-1}},
};

TEST(Adm, MatchesTheReferenceBitForBit) {
    for (const Golden &want : golden) {
        SCOPED_TRACE(::testing::Message()
                     << want.format.width << "x" << want.format.height << ", " << want.format.bit_depth << " bit");
        const auto scores = run_feature("adm", {{}, neg, v1}, generated_clip(want.format, 2));
        EXPECT_EQ(scores[0].frames.at(adm2), want.adm2);
        EXPECT_EQ(scores[0].frames.at(aim), want.aim);
        EXPECT_EQ(scores[0].frames.at(adm3), want.adm3);
        EXPECT_EQ(scores[1].frames.at("integer_adm2_egl_1"), want.neg_adm2);
        EXPECT_EQ(scores[2].frames.at("integer_adm2_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02"), want.v1_adm2);
        EXPECT_EQ(scores[2].frames.at("integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02"), want.v1_adm3);
    }
}

TEST(Adm, DebugShowsTheNumbersBehindTheScales) {
    const auto scores = run_feature("adm", {{{"debug", "true"}}}, generated_clip({.width = 176, .height = 144}, 1));
    const auto value = [&](const std::string &name) { return scores.front().frames.at(name).front(); };
    EXPECT_EQ(scores.front().frames.size(), 18u);
    EXPECT_EQ(value("integer_adm_num_scale0"), 0x1.13159p+4);
    EXPECT_EQ(value("integer_adm_den_scale0"), 0x1.7ff8b6p+4);
    EXPECT_EQ(value("integer_adm_num_scale1"), 0x1.72d08p+4);
    EXPECT_EQ(value("integer_adm_den_scale1"), 0x1.d1f352p+4);
    EXPECT_EQ(value("integer_adm_num_scale2"), 0x1.5b6158p+5);
    EXPECT_EQ(value("integer_adm_den_scale2"), 0x1.7ca394p+5);
    EXPECT_EQ(value("integer_adm_num_scale3"), 0x1.1b0d02p+6);
    EXPECT_EQ(value("integer_adm_den_scale3"), 0x1.221a42p+6);
    EXPECT_EQ(value("integer_adm"), value(adm2));
    double num = 0, den = 0;
    for (const std::string s : {"0", "1", "2", "3"}) {
        num += value("integer_adm_num_scale" + s);
        den += value("integer_adm_den_scale" + s);
        EXPECT_EQ(value("integer_adm_scale" + s),
                  value("integer_adm_num_scale" + s) / value("integer_adm_den_scale" + s));
    }
    EXPECT_EQ(value("integer_adm_num"), num);
    EXPECT_EQ(value("integer_adm_den"), den);
}

// --- pathological pictures
// --------------------------------------------------------------------------------------------

/// Full-range noise reaches the wrap-around of 16-bit values at scale 0; the smallest pictures end in 3x3 samples.
/// Values: an independent program written from features.md §4.
TEST(Adm, FullRangeNoiseMatchesAnIndependentProgram) {
    struct Case {
        int width, height, bit_depth;
        double adm2, aim, adm3;
    };
    const Case cases[] = {
        {33, 33, 8, 0x1.478bf1724bed4p-2, 0x1.4bf5a2208fccdp-1, 0x1.57d056989629dp-2},
        {33, 35, 10, 0x1.85bcb3406affdp-2, 0x1.3680e58f8c747p-1, 0x1.8c5d7410a90b8p-2},
        {35, 33, 16, 0x1.812db4278bf61p-2, 0x1.699ea5c22fa8bp-1, 0x1.56f8345196526p-2},
        {101, 67, 12, 0x1.77056b15fa8e2p-2, 0x1.4832aa2f18a95p-1, 0x1.73500b5be49dcp-2},
        {150, 140, 8, 0x1.8567c566826a2p-2, 0x1.5112ce5c1cdedp-1, 0x1.71a1145724564p-2},
    };
    for (const Case &c : cases) {
        SCOPED_TRACE(::testing::Message() << c.width << "x" << c.height << ", " << c.bit_depth << " bit");
        const VideoFormat format{
            .width = c.width, .height = c.height, .chroma = Chroma::k400, .bit_depth = c.bit_depth};
        const auto scores = run_one({}, noise_pair(format, 7));
        EXPECT_EQ(scores.frames.at(adm2), Values{c.adm2});
        EXPECT_EQ(scores.frames.at(aim), Values{c.aim});
        EXPECT_EQ(scores.frames.at(adm3), Values{c.adm3});
    }
}

/// Doubles and integers limit alike wherever a restored coefficient can lie.
TEST(Adm, WholeGainLimitsNeedNoDoubles) {
    constexpr std::int32_t largest = 0x7f000000;
    std::mt19937 random(1);
    for (int i = 0; i < 200'000; i++) {
        const int shift = static_cast<int>(random() % 31);
        const auto r = static_cast<std::int32_t>(random() % largest) >> shift;
        const auto t = static_cast<std::int32_t>(random() % largest) >> random() % 31;
        const auto limit = static_cast<std::int32_t>(1 + random() % 100);
        const int sign = i % 2 == 0 ? 1 : -1;
        const std::int32_t edge = static_cast<std::int64_t>(r) * limit < largest ? r * limit : t; // limit and t meet
        for (const std::int32_t distorted : {t, edge, edge - 1, edge + 1, 0, largest})
            ASSERT_EQ(adm_limit_gain_whole(sign * r, sign * distorted, limit),
                      adm_limit_gain(sign * r, sign * distorted, limit))
                << sign * r << " " << sign * distorted << " " << limit;
    }
}

TEST(Adm, PicturesBelow33AreRefused) {
    const OptionSet defaults(adm_feature.options);
    EXPECT_TRUE(check_needs(adm_feature, {.width = 33, .height = 33}, defaults));
    EXPECT_FALSE(check_needs(adm_feature, {.width = 32, .height = 1080}, defaults));
    EXPECT_FALSE(check_needs(adm_feature, {.width = 1920, .height = 32}, defaults));
}

/// The denominator is a float formula, the numerator goes through fixed-point factors: they agree to five digits.
TEST(Adm, IdenticalPicturesLoseAndAddNothing) {
    const auto scores = run_one({}, identical_pair(small, 3));
    EXPECT_NEAR(scores.frames.at(adm2).front(), 1, 1e-5);
    EXPECT_EQ(scores.frames.at(aim), Values{0});
}

TEST(Adm, FlatPicturesHaveNoDetailToLose) {
    for (const int bits : {8, 10, 12, 16}) {
        VideoFormat format = small;
        format.bit_depth = bits;
        const FramePair pair = black_and_white(format);
        for (const OptionTexts &options : {OptionTexts{}, OptionTexts{{"nw", "0"}}}) { // with nw = 0, den = 0
            const auto scores = run_feature("adm", {options}, {pair}).front();
            for (const auto &[name, values] : scores.frames) {
                if (name.find("adm2") != std::string::npos || name.find("adm3") != std::string::npos) {
                    EXPECT_EQ(values, Values{1}) << name;
                }
                if (name.find("aim") != std::string::npos) {
                    EXPECT_EQ(values, Values{0}) << name;
                }
            }
        }
    }
}

/// Scores of a frame without detail, by the finisher alone.
class FinishedWithoutDetail final : public ScoreSink {
  public:
    FinishedWithoutDetail(const VideoFormat &format, const OptionTexts &texts) {
        const std::vector<OptionSet> sets{OptionSet::parse("adm", adm_feature.options, texts).value()};
        const FeaturePlan plan = std::move(adm_feature.plan({format}, sets)).value();
        const std::vector<std::int64_t> words(plan.words.size());
        plan.variants[0].finisher->push(0, words, *this);
    }

    void set(std::int64_t, std::size_t output, double score) override {
        scores_.resize(std::max(scores_.size(), output + 1));
        scores_[output] = score;
    }
    void set_aggregate(std::string_view, double) override {}

    double adm2() const { return scores_.at(0); }
    double numerator() const { return scores_.at(8); }
    double denominator() const { return scores_.at(9); }

  private:
    Values scores_;
};

/// The limit is 1e-10 at 1920x1080 and grows with the area. Without its finest scale and without noise, the
/// denominator is 1e-10 as f32, which is a little more than 1e-10.
TEST(Adm, TheLimitForTinyDenominatorsGrowsWithTheArea) {
    const OptionTexts options = {{"ssz", "true"}, {"nw", "0"}, {"debug", "true"}};
    const FinishedWithoutDetail above({.width = 1920, .height = 1080}, options);
    EXPECT_EQ(above.denominator(), double{1e-10F});
    EXPECT_EQ(above.adm2(), 0);
    const FinishedWithoutDetail below({.width = 1920, .height = 1081}, options);
    EXPECT_EQ(below.denominator(), 0);
    EXPECT_EQ(below.adm2(), 1);
}

/// The noise alone, which grows with the cube root of its weight, just above and just below the limit.
TEST(Adm, TinyNumeratorsAndDenominatorsCountAsNothing) {
    const VideoFormat format{.width = 7680, .height = 4320};
    const double limit = 1e-10 * (7680 * 4320) / (1920.0 * 1080.0);
    const auto with_noise = [&](double weight) {
        return FinishedWithoutDetail(format, {{"nw", format_g(weight)}, {"debug", "true"}});
    };
    const double at_limit = 1e-30 * std::pow(limit / with_noise(1e-30).denominator(), 3);
    const FinishedWithoutDetail above = with_noise(at_limit * 1.001), below = with_noise(at_limit * 0.999);
    EXPECT_NEAR(above.numerator() / limit, 1, 1e-3);
    EXPECT_NEAR(above.denominator() / limit, 1, 1e-3);
    EXPECT_EQ(below.numerator(), 0);
    EXPECT_EQ(below.denominator(), 0);
    EXPECT_EQ(below.adm2(), 1);
}

TEST(Adm, BytesOutsideThePictureAreNotRead) {
    for (const int bits : {8, 10}) {
        const VideoFormat format{.width = 67, .height = 41, .bit_depth = bits};
        const auto clean = run_one({{"debug", "true"}}, noise_pair(format, 5, 0x00));
        const auto poisoned = run_one({{"debug", "true"}}, noise_pair(format, 5, 0xff));
        EXPECT_EQ(clean.frames, poisoned.frames);
    }
}

// --- options
// ----------------------------------------------------------------------------------------------------------

TEST(Adm, SharedExtractionsEqualSeparateOnes) {
    const std::vector<OptionTexts> sets = {
        {{"debug", "true"}},
        neg,
        v1,
        {{"egl", "1.2"}, {"ssz", "true"}},
        {{"nvd", "5"}, {"adm_skip_aim", "true"}},
        {{"csf", "3"}, {"nvd", "1.5"}, {"rdh", "2160"}},
        {{"ssz", "true"}},
        {{"nw", "0.1"}, {"adm_skip_aim", "true"}},
    };
    const std::vector<FramePair> clip = generated_clip(small, 2);
    const auto together = run_feature("adm", sets, clip);
    for (std::size_t i = 0; i < sets.size(); i++)
        EXPECT_EQ(together[i].frames, run_feature("adm", {sets[i]}, clip).front().frames) << i;
}

/// The stages of the definition on one pair of pictures.
StageMemory stages_of(const FeaturePlan &plan, const FramePair &pair) {
    StageMemory memory(plan.stages);
    Workspace workspace;
    std::vector<std::int64_t> words(plan.extracted().size());
    plan.definition->extract({.reference = HostPicture(pair.reference), .distorted = HostPicture(pair.distorted)},
                             workspace, words, memory.taps());
    return memory;
}

/// Shares of half a unit more are larger by 1, and a threshold is made of nine pixels' shares of three bands.
TEST(Adm, SharesRoundedAnotherWayRaiseEveryThresholdAfterScale0) {
    const FramePair pair = noise_pair(small, 6);
    const FeaturePlan plan = testing::plan_feature("adm", {{}}, {small});
    const FeaturePlan mixed = testing::plan_feature("adm", {{}}, {small, mixed_semantics});
    const StageMemory before = stages_of(plan, pair), after = stages_of(mixed, pair);
    std::size_t thresholds = 0;
    for (std::size_t s = 0; s < plan.stages.size(); s++) {
        const std::string &name = plan.stages[s].name;
        const auto a = before.plane(s), b = after.plane(s);
        if (name.find("threshold") != std::string::npos && !name.starts_with("scale 0")) {
            const auto centre = a.size() / 2 + static_cast<std::size_t>(plan.stages[s].width) / 2;
            EXPECT_EQ(b[centre] - a[centre], 27) << name;
            for (std::size_t i = 0; i < a.size(); i++)
                EXPECT_TRUE(b[i] - a[i] == 27 || (a[i] == 0 && b[i] == 0)) << name << ' ' << i;
            thresholds++;
        } else if (name.find("visible") == std::string::npos && name.find("row sums") == std::string::npos) {
            EXPECT_TRUE(std::ranges::equal(a, b)) << name;
        }
    }
    EXPECT_EQ(thresholds, 6u);
    EXPECT_LT(run_feature("adm", {{}}, {pair}, mixed_semantics).front().frames.at("integer_adm_scale1"),
              run_feature("adm", {{}}, {pair}).front().frames.at("integer_adm_scale1"));
}

/// What each option set costs: option sets that differ in the finish alone, or leave something out, add no sums.
TEST(Adm, OptionSetsShareTheirMaskings) {
    const auto word_count = [](const std::vector<OptionTexts> &texts) {
        std::vector<OptionSet> sets;
        for (const OptionTexts &text : texts)
            sets.push_back(*OptionSet::parse("adm", adm_feature.options, text));
        return adm_feature.plan({small}, sets)->words.size();
    };
    const std::size_t one = word_count({{}});
    EXPECT_EQ(word_count({{}, {{"nw", "0"}}, {{"dlmw", "1"}, {"min", "0.5"}}, {{"ssz", "true"}}}), one);
    EXPECT_EQ(word_count({{}, neg}), AdmSums::count(2));
    EXPECT_EQ(word_count({{}, neg, {{"csf", "2"}}}), AdmSums::count(3));
}

TEST(Adm, SkippedPartsCountAsNothing) {
    const auto clip = generated_clip(small, 1);
    const auto full = run_feature("adm", {{{"debug", "true"}}}, clip).front();
    const auto skipped =
        run_feature("adm", {{{"ssz", "true"}, {"adm_skip_aim", "true"}, {"debug", "true"}}}, clip).front();
    EXPECT_EQ(skipped.frames.at("integer_adm_num_scale0_ssz"), Values{0});
    EXPECT_EQ(skipped.frames.at("integer_adm_den_scale0_ssz"), Values{double{1e-10F}});
    EXPECT_EQ(skipped.frames.at("integer_adm_num_scale1_ssz"), full.frames.at("integer_adm_num_scale1"));
    EXPECT_EQ(skipped.frames.at("integer_aim_ssz"), Values{0});
    const double left = skipped.frames.at("integer_adm2_ssz").front();
    EXPECT_EQ(skipped.frames.at("integer_adm3_ssz"), Values{left * 0.5 + 0.5});
    EXPECT_GT(full.frames.at(aim).front(), 0);
}

TEST(Adm, WeightAndFloorActOnAdm3Alone) {
    const auto scores =
        run_feature("adm", {{}, {{"dlmw", "1"}}, {{"dlmw", "0"}}, {{"min", "1"}}}, generated_clip(small, 1));
    const Values &all = scores[0].frames.at(adm2);
    EXPECT_EQ(scores[1].frames.at("integer_adm3_dlmw_1"), all);
    EXPECT_EQ(scores[2].frames.at("integer_adm3_dlmw_0"), Values{1 - scores[0].frames.at(aim).front()});
    EXPECT_EQ(scores[3].frames.at("integer_adm3_min_1"), Values{1});
    EXPECT_EQ(scores[3].frames.at("integer_adm2_min_1"), all);
}

TEST(Adm, ImpossibleOptionsAreRefused) {
    const std::pair<OptionTexts, const char *> cases[] = {
        {{{"nvd", "2.9"}}, "at least 3240"},
        {{{"rdh", "720"}, {"nvd", "3"}}, "at least 3240"},
        {{{"csf", "1"}}, "overflow"},
        {{{"csf", "2"}, {"nvd", "4"}}, "1080 at 3, 1080 at 5, 2160 at 1.5, 2160 at 3, 2160 at 5, 720 at 5"},
        {{{"csf", "3"}, {"rdh", "1440"}, {"nvd", "3"}}, "it has: 1080 at 3"},
    };
    for (const auto &[texts, message] : cases) {
        const auto options = *OptionSet::parse("adm", adm_feature.options, texts);
        const auto plan = adm_feature.plan({small}, {&options, 1});
        ASSERT_FALSE(plan) << message;
        EXPECT_NE(plan.error().message.find(message), std::string::npos) << plan.error().message;
    }
}

} // namespace
} // namespace isovmaf::adm_test
