// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/cambi/cambi.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"
#include "isovmaf/request.hpp"

namespace isovmaf::cambi_test {
namespace {

using testing::run_feature;
using Values = std::vector<double>;

constexpr VideoFormat small{.width = 240, .height = 40};

OptionSet options(std::string_view text) {
    const FeatureRequest request = value_of(FeatureRequest::parse(request_text(cambi_feature, text)));
    return value_of(OptionSet::parse("cambi", cambi_feature.options, request.options));
}

CambiSettings settings(const VideoFormat &format, std::string_view text) {
    return value_of(cambi_settings(format, options(text)));
}

std::string refusal(const VideoFormat &format, std::string_view text) {
    const Result<void> checked = check_needs(cambi_feature, format, options(text));
    return checked ? "" : checked.error().message;
}

struct Golden {
    VideoFormat format;
    Values scores; ///< of the first frames of the generated clip, from libvmaf 3.2.0's plain C path
};

const Golden golden[] = {
    {{.width = 352, .height = 288}, {0x1.62626766ca68dp-5, 0x1.d583d07716bdp-5}},
    {{.width = 322, .height = 242, .chroma = Chroma::k444}, {0x1.8e10b890887a2p-4, 0x1.196729a61c374p-3}},
    {{.width = 321, .height = 183}, {0x1.a85a593c17a8fp-4, 0x1.387fda2ccae8dp-3}},
};

TEST(Cambi, MatchesTheReferenceBitForBit) {
    for (const Golden &want : golden) {
        const auto clip = testing::generated_clip(want.format, static_cast<int>(want.scores.size()));
        const auto scores =
            run_feature("cambi", {{}, {{"cambi_high_res_speedup", "1080"}, {"cambi_vis_lum_threshold", "0.06"}}}, clip);
        EXPECT_EQ(scores[0].frames.at("Cambi_feature_cambi_score"), want.scores);
        EXPECT_EQ(scores[1].frames.at("cambi_hrs_1080_vlt_0.06"), want.scores);
    }
}

TEST(Cambi, ReciprocalsAreThoseOfNineDigits) {
    const std::vector<std::size_t> above{82, 83, 244, 488, 564, 614, 664, 1419, 1699, 1906, 2443, 2740, 3812, 4130};
    const std::vector<std::size_t> below{504,  510,  528,  749,  760,  892,  2040, 2071, 2112, 2223,
                                         2555, 2927, 3285, 3515, 3525, 3705, 3795, 3797, 3837, 3885,
                                         4033, 4080, 4091, 4095, 4142, 4203, 4218, 4224};
    const auto &table = cambi_reciprocals();
    EXPECT_EQ(table[0], 0);
    std::vector<std::size_t> found_above, found_below;
    for (std::size_t i = 1; i < table.size(); i++) {
        const auto difference = word_of(table[i]) - word_of(1.0F / static_cast<float>(i));
        EXPECT_LE(std::abs(difference), 1) << i;
        if (difference != 0)
            (difference > 0 ? found_above : found_below).push_back(i);
    }
    EXPECT_EQ(found_above, above);
    EXPECT_EQ(found_below, below);
}

TEST(Cambi, StepsAreVisibleUpToLimits) {
    const auto bt1886 = settings(small, "max_log_contrast=5").distorted_contrast.limits;
    EXPECT_EQ(std::vector<int>(bt1886.begin(), bt1886.begin() + 8),
              (std::vector<int>{178, 305, 432, 559, 686, 813, 1023, 1023}));
    EXPECT_EQ(bt1886.back(), 1023);
    const auto pq = settings(small, "cambi_eotf=pq").distorted_contrast.limits;
    EXPECT_EQ(std::vector<int>(pq.begin(), pq.begin() + 5), (std::vector<int>{233, 1023, 1023, 1023, 0}));
    EXPECT_EQ(settings(small, "eotf=pq").distorted_contrast, settings(small, "cambi_eotf=pq").distorted_contrast);
    for (const auto &[threshold, limit] : {std::pair{"0", 0}, {"0.01", 65}, {"0.06", 78}, {"300", 940}})
        EXPECT_EQ(settings(small, std::string("cambi_vis_lum_threshold=") + threshold).distorted_contrast.dark_limit,
                  limit);
}

TEST(Cambi, WindowsFollowTheSize) {
    const auto window = [](int width, int height, std::string_view text) {
        return settings({.width = width, .height = height}, text).distorted_contrast.window;
    };
    const std::string_view fast = "cambi_high_res_speedup=1080";
    EXPECT_EQ(window(576, 324, ""), 9);
    EXPECT_EQ(window(1280, 720, ""), 21);
    EXPECT_EQ(window(1920, 1080, ""), 33);
    EXPECT_EQ(window(1920, 1080, fast), 17);
    EXPECT_EQ(window(3840, 2160, ""), 65);
    EXPECT_EQ(window(3840, 2160, fast), 33);
    EXPECT_EQ(window(4096, 2160, fast), 35);
    EXPECT_EQ(window(7680, 4320, fast), 65);
    EXPECT_EQ(window(480, 270, "window_size=15"), 1);
    const CambiSettings both = settings({.width = 1920, .height = 1080}, "enc_width=960:enc_height=540");
    EXPECT_EQ(both.distorted_contrast.window, 17);
    EXPECT_EQ(both.source_contrast.window, 33);
}

TEST(Cambi, SizesAreThoseOfTheOptions) {
    const auto picture = [](std::string_view text) {
        return settings({.width = 1920, .height = 1080}, text).distorted;
    };
    EXPECT_EQ(picture("enc_width=960:enc_height=540"), (CambiPicture{false, 960, 540, true, false}));
    EXPECT_EQ(picture("enc_width=960"), (CambiPicture{false, 1920, 1080, true, false}));
    EXPECT_EQ(picture("enc_width=960:enc_height=1200:enc_bitdepth=10"),
              (CambiPicture{false, 1920, 1080, false, false}));
    EXPECT_TRUE(picture("cambi_high_res_speedup=1080").halved);
    EXPECT_FALSE(picture("cambi_high_res_speedup=1440").halved);
    EXPECT_FALSE(picture("cambi_high_res_speedup=1000").halved);
    EXPECT_FALSE(picture("cambi_high_res_speedup=1080:enc_width=960:enc_height=540").halved);
    const auto sizes = cambi_scale_sizes({.width = 217, .height = 9, .halved = true});
    EXPECT_EQ(sizes[0].width, 109);
    EXPECT_EQ(sizes[4].width, 7);
    EXPECT_EQ(sizes[4].height, 1);
}

TEST(Cambi, OptionsWithoutMeaningAreRefused) {
    const VideoFormat large{.width = 1920, .height = 1080};
    EXPECT_EQ(refusal({.width = 216, .height = 1}, ""), "");
    EXPECT_EQ(refusal({.width = 1, .height = 216, .chroma = Chroma::k400, .bit_depth = 9}, ""), "");
    EXPECT_NE(refusal({.width = 215, .height = 215}, "").find("at least 216"), std::string::npos);
    EXPECT_NE(refusal(large, "enc_width=200:enc_height=160").find("200x160"), std::string::npos);
    EXPECT_NE(refusal(large, "src_width=2000:src_height=1000").find("2000x1000"), std::string::npos);
    EXPECT_NE(refusal({.width = 4096, .height = 2160}, "").find("window of 67"), std::string::npos);
    EXPECT_NE(refusal({.width = 4096, .height = 2160}, "enc_width=960:enc_height=540").find("window"),
              std::string::npos); // the source's, though it is not used
}

TEST(Cambi, PooledSumsHaveTheOrderOfThePartition) {
    std::vector<float> values;
    std::uint32_t state = 7;
    for (int i = 0; i < 1000; i++) { // of very different sizes, so that the order decides how sums are rounded
        state = state * 1664525 + 1013904223;
        const auto mantissa = static_cast<float>((state >> 8 & 0x7fffff) + (1 << 23));
        values.push_back(std::ldexp(mantissa, state >> 31 ? static_cast<int>(state >> 24 & 7) + 2 : -24));
    }
    const std::pair<int, double> expected[] = {
        {1, 0x1.ff8f94p+32},          {600, 0x1.774c1e2bf72c3p+39},  {800, 0x1.774c1e2d303eap+39},
        {999, 0x1.774c1e2e1c651p+39}, {1000, 0x1.774c1e2e1d64ap+39},
    };
    for (const auto &[count, sum] : expected) {
        std::vector<float> moved = values;
        EXPECT_EQ(cambi_pooled_sum(moved, static_cast<std::size_t>(count)), sum) << count;
    }
}

TEST(Cambi, SumsOfMultiplesAreExactBeyondTheUsualLimit) {
    EXPECT_EQ(cambi_units(f32_bits(0)), 0u);
    EXPECT_EQ(cambi_units(f32_bits(0.5F)), 1u << 23);
    EXPECT_EQ(cambi_units(f32_bits(0x1.000002p-1F)), (1u << 23) + 1);
    EXPECT_EQ(cambi_units(f32_bits(9506.25F)), std::uint64_t{38025} << 22);
    constexpr std::uint64_t usual = std::uint64_t{1} << 53;
    EXPECT_TRUE(cambi_is_exact(usual - 1, 1));
    EXPECT_FALSE(cambi_is_exact(usual, 1));
    EXPECT_TRUE(cambi_is_exact(2 * usual - 2, 6));
    EXPECT_FALSE(cambi_is_exact(2 * usual, 6));
    EXPECT_TRUE(cambi_is_exact(~std::uint64_t{0} << 11, 1 << 11));
    EXPECT_TRUE(cambi_is_exact(~std::uint64_t{0} << 32, 0)) << "multiples of 2^32";
    EXPECT_EQ(cambi_f64_of_units(0), 0u);
    EXPECT_EQ(cambi_f64_of_units(cambi_units(f32_bits(0.75F))), static_cast<std::uint64_t>(word_of(0.75)));
    EXPECT_EQ(cambi_f64_of_units((usual - 1) << 4), static_cast<std::uint64_t>(word_of(0x1.fffffffffffffp+32)));
}

TEST(Cambi, SumsThatFitAreBelow2To63) {
    std::uint64_t largest = 0;
    for (std::uint32_t pixels = 2; pixels < CAMBI_RECIPROCAL_COUNT; pixels++) { // the product is largest in the middle
        const float value = cambi_contrast(cambi_weights[CAMBI_LARGEST_STEP - 1], pixels / 2, (pixels + 1) / 2,
                                           cambi_reciprocals()[pixels]);
        largest = std::max(largest, cambi_units(f32_bits(value)));
    }
    EXPECT_GT(largest, std::uint64_t{9506} << CAMBI_UNIT_BITS);
    constexpr std::uint64_t limit = std::uint64_t{1} << 63;
    EXPECT_LE(largest, limit / CAMBI_MOST_VALUES);
    EXPECT_TRUE(cambi_sum_fits(CAMBI_MOST_VALUES));
    EXPECT_FALSE(cambi_sum_fits(CAMBI_MOST_VALUES + std::int64_t{1}));
    EXPECT_FALSE(cambi_sum_fits(std::int64_t{max_frame_side} * max_frame_side));
}

TEST(Cambi, PooledCountsAreAtLeastOne) {
    EXPECT_EQ(cambi_pooled_count(0.6, 9), 5u);
    EXPECT_EQ(cambi_pooled_count(0.0001, 9), 1u);
    EXPECT_EQ(cambi_pooled_count(1, 9), 9u);
}

TEST(Cambi, ScaledPositionsAreTheNearest) {
    EXPECT_EQ(cambi_scaled_positions(4, 2), (std::vector<int>{1, 3}));
    EXPECT_EQ(cambi_scaled_positions(5, 2), (std::vector<int>{1, 3}));
    EXPECT_EQ(cambi_scaled_positions(2, 4), (std::vector<int>{0, 0, 1, 1}));
    for (const int count : {216, 321, 1080, 7680}) {
        const std::vector<int> positions = cambi_scaled_positions(count, 7680);
        EXPECT_TRUE(std::ranges::is_sorted(positions));
        EXPECT_EQ(positions.front(), 0);
        EXPECT_EQ(positions.back(), count - 1);
    }
}

/// Left half one code darker than the right half.
Frame two_halves(const VideoFormat &format, std::uint32_t left, std::uint32_t right) {
    return painted_frame(format, default_poison, [&](int, int x, int) { return x < format.width / 2 ? left : right; });
}

TEST(Cambi, AnEdgeOfOneCodeIsCounted) {
    const VideoFormat format{.width = 240, .height = 60, .chroma = Chroma::k400, .bit_depth = 10};
    const FramePair pair{constant_frame(format, 100), two_halves(format, 100, 101)};
    const FeaturePlan plan = testing::plan_feature("cambi", {{{"window_size", "127"}}}, {format});
    StageMemory memory(plan.stages);
    Workspace workspace;
    std::vector<std::int64_t> words(plan.extracted().size());
    plan.definition->extract({HostPicture(pair.reference), HostPicture(pair.distorted)}, workspace, words,
                             memory.taps());
    // A window of 7x7: at the last dark column, 28 pixels are dark and 21 bright.
    const StageMap &map = plan.variants[0].maps[0];
    const auto values = memory.plane(map.stage);
    const auto at = [&](int x, int y) { return f32_of(values[static_cast<std::size_t>(y * 240 + x)]); };
    EXPECT_EQ(plan.stages[map.stage].name, "scale 0: c-values");
    EXPECT_EQ(map.largest, 4 * 49 / 4);
    EXPECT_EQ(at(119, 30), 28.0F * 21.0F * cambi_reciprocals()[49]);
    EXPECT_EQ(at(120, 30), 28.0F * 21.0F * cambi_reciprocals()[49]);
    EXPECT_EQ(at(122, 30), 42.0F * 7.0F * cambi_reciprocals()[49]);
    EXPECT_EQ(at(123, 30), 0.0F);
}

TEST(Cambi, InvisibleStepsAreNotCounted) {
    const VideoFormat format{.width = 240, .height = 40, .chroma = Chroma::k400, .bit_depth = 10};
    const auto score = [&](std::uint32_t left, std::uint32_t right, std::string_view luminance) {
        return run_feature("cambi", {{{"cambi_vis_lum_threshold", std::string(luminance)}, {"max_log_contrast", "0"}}},
                           {{constant_frame(format, 0), two_halves(format, left, right)}})
            .front()
            .frames.begin()
            ->second.front();
    };
    EXPECT_GT(score(178, 179, "0"), 0); // step 1 is visible up to 178
    EXPECT_EQ(score(179, 180, "0"), 0);
    EXPECT_EQ(score(178, 180, "0"), 0);  // two steps
    EXPECT_GT(score(76, 77, "0.06"), 0); // 77 + 1 + 1 is above 78
    EXPECT_EQ(score(75, 76, "0.06"), 0);
}

TEST(Cambi, FullReferenceIsTheDifference) {
    const VideoFormat format{.width = 240, .height = 40, .bit_depth = 10};
    const FramePair pair{two_halves(format, 100, 104), two_halves(format, 100, 101)};
    const FramePair turned{pair.distorted, pair.reference};
    const auto scores = run_feature("cambi", {{{"full_ref", "true"}, {"cambi_max_val", "0.1"}}, {}}, {pair, turned});
    const Values plain = scores[1].frames.at("Cambi_feature_cambi_score");
    EXPECT_GT(plain[1], plain[0]); // four codes weigh more
    EXPECT_EQ(scores[0].frames.at("cambi_cmxv_0.1"), (Values{std::min(plain[0], 0.1), std::min(plain[1], 0.1)}));
    EXPECT_EQ(scores[0].frames.at("cambi_source"), (Values{std::min(plain[1], 0.1), std::min(plain[0], 0.1)}));
    EXPECT_EQ(scores[0].frames.at("cambi_full_reference"), (Values{0, std::min(plain[1] - plain[0], 0.1)}));
}

TEST(Cambi, OptionSetsShareWhatIsEqual) {
    CambiDemand demand;
    const CambiSettings a = settings(small, ""), b = settings(small, "max_log_contrast=1"),
                        c = settings(small, "topk=1");
    EXPECT_EQ(demand.add(a.distorted, a.distorted_contrast, a.topk), 0u);
    EXPECT_EQ(demand.add(b.distorted, b.distorted_contrast, b.topk), 1u);
    EXPECT_EQ(demand.add(c.distorted, c.distorted_contrast, c.topk), 2u);
    EXPECT_EQ(demand.add(a.distorted, a.distorted_contrast, a.topk), 0u);
    EXPECT_EQ(demand.pictures.size(), 1u);
    EXPECT_EQ(demand.counts.size(), 2u);
}

} // namespace
} // namespace isovmaf::cambi_test
