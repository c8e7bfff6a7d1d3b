// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' sums against the definition's.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/kernel_runner.hpp"
#include "features/testing/mixed_semantics.hpp"

namespace isovmaf::adm_gpu_test {
namespace {

using namespace testing;

const OptionTexts defaults;
const OptionTexts neg{{"adm_enhn_gain_limit", "1.0"}};
const OptionTexts fraction{{"adm_enhn_gain_limit", "1.2"}};
const OptionTexts far{{"adm_norm_view_dist", "5"}};
const OptionTexts barten{{"adm_csf_mode", "2"}};
const OptionTexts no_scale0{{"adm_skip_scale0", "true"}};
const OptionTexts no_aim{{"adm_skip_aim", "true"}};

VideoFormat format_of(int width, int height, int bits) {
    return {.width = width, .height = height, .chroma = Chroma::k400, .bit_depth = bits};
}

FramePair grain(const VideoFormat &format) { return {grain_frame(format, 1), grain_frame(format, 2)}; }

class AdmKernelsOfWidth : public ::testing::TestWithParam<int> {};

TEST_P(AdmKernelsOfWidth, SmallPicturesGiveTheReferencesSums) {
    for (const int height : {33, 34, 35, 38, 47, 65}) {
        const VideoFormat format = format_of(GetParam(), height, GetParam() % 2 == 0 ? 8 : 10);
        expect_reference_sums("adm", {defaults}, {noise_pair(format, 1), grain(format)});
    }
}

INSTANTIATE_TEST_SUITE_P(Adm, AdmKernelsOfWidth, ::testing::Values(33, 34, 35, 36, 37, 47, 63, 64, 65),
                         ::testing::PrintToStringParamName());

TEST(AdmKernels, SizesAroundTilesGiveTheReferencesSums) {
    for (const int width : {119, 120, 121, 158, 160, 162, 241, 320})
        for (const int height : {38, 42, 64, 66, 131})
            expect_reference_sums("adm", {defaults}, {noise_pair(format_of(width, height, 8), 2)});
    expect_reference_sums("adm", {defaults},
                          {noise_pair(format_of(640, 36, 8), 3), noise_pair(format_of(640, 36, 8), 4)});
    expect_reference_sums("adm", {defaults}, {noise_pair(format_of(36, 720, 10), 5)});
}

TEST(AdmKernels, EveryPatternOfEveryDepthGivesTheReferencesSums) {
    for (const int bits : {8, 10, 12, 16}) {
        const VideoFormat format = format_of(101, 67, bits);
        const FramePair black_white = black_and_white(format);
        std::vector<FramePair> clip = generated_clip(format, 2);
        clip.push_back(noise_pair(format, 7));
        clip.push_back(identical_pair(format, 8));
        clip.push_back(black_white);
        clip.push_back({black_white.distorted, black_white.distorted});
        clip.push_back({noise_frame(format, 9), grain_frame(format, 10)});
        clip.push_back({grain_frame(format, 11), noise_frame(format, 12)});
        clip.push_back(grain(format));
        expect_reference_sums("adm", {defaults, neg, fraction}, clip);
    }
}

TEST(AdmKernels, EveryDemandGivesTheReferencesSums) {
    const std::vector<std::vector<OptionTexts>> demands{
        {neg},
        {fraction},
        {far},
        {no_scale0},
        {no_aim},
        {{{"adm_skip_scale0", "true"}, {"adm_skip_aim", "true"}}},
        {no_scale0, far},
        {no_aim, neg},
        {{{"adm_skip_scale0", "true"}, {"adm_csf_mode", "3"}}, no_scale0, {{"adm_skip_aim", "true"}, {"egl", "1.5"}}},
        {defaults, neg, fraction, far, barten, {{"egl", "1"}, {"csf", "2"}, {"adm_skip_aim", "true"}}},
    };
    for (const int bits : {8, 16}) {
        const VideoFormat format = format_of(140, 90, bits);
        std::vector<FramePair> clip = generated_clip(format, 1);
        clip.push_back(noise_pair(format, 13));
        for (const std::vector<OptionTexts> &demand : demands)
            expect_reference_sums("adm", demand, clip);
    }
}

std::vector<FramePair> grain_and_noise(int bits) {
    const VideoFormat format = format_of(140, 90, bits);
    return {grain(format), noise_pair(format, 17)};
}

TEST(AdmKernels, SharesRoundedAnotherWayGiveTheReferencesSums) {
    for (const int bits : {8, 10})
        expect_reference_sums("adm", {defaults, neg, fraction}, grain_and_noise(bits), mixed_semantics);
}

TEST(AdmKernels, SharesRoundedAnotherWayHaveTheReferencesStages) {
    for (const int bits : {8, 10})
        expect_reference_stages("adm", {defaults}, grain_and_noise(bits), mixed_semantics);
}

TEST(AdmKernels, EveryStageIsTheReferences) {
    const std::vector<std::vector<OptionTexts>> demands{
        {defaults},
        {no_scale0},
        {no_scale0, neg},
        {{{"adm_skip_aim", "true"}, {"egl", "1.2"}}, far},
    };
    for (const int bits : {8, 10, 12}) {
        const VideoFormat format = format_of(205, 137, bits);
        for (const std::vector<OptionTexts> &demand : demands)
            expect_reference_stages("adm", demand, {grain(format), noise_pair(format, 14)});
    }
    const VideoFormat smallest = format_of(33, 33, 8);
    expect_reference_stages("adm", {defaults, neg},
                            {grain(smallest), noise_pair(smallest, 15), noise_pair(smallest, 16)});
}

} // namespace
} // namespace isovmaf::adm_gpu_test
