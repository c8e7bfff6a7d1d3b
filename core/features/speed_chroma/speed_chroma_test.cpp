// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/speed_chroma/speed_chroma.hpp"

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"

namespace isovmaf::speed_chroma_test {
namespace {

using testing::generated_clip;
using testing::run_feature;
using Values = std::vector<double>;

const OptionTexts v1{{"snn", "0.19"}, {"nnf", "0.1"}, {"mxv", "45"}, {"wvm", "5"}};
constexpr VideoFormat full_chroma{.width = 322, .height = 242, .chroma = Chroma::k444};

TEST(SpeedChroma, MatchesTheReferenceBitForBit) {
    const auto scores = run_feature("speed_chroma", {v1}, generated_clip(full_chroma, 3)).front().frames;
    const std::string suffix = "_mxv_45_nnf_0.1_snn_0.19_wvm_5";
    EXPECT_EQ(scores.at("speed_chroma_u" + suffix), (Values{0x1.1aebdp+0, 0x1.bcc896p+0, 0x1.aa7976p+0}));
    EXPECT_EQ(scores.at("speed_chroma_v" + suffix), (Values{0x1.0580fap+1, 0x1.639636p+0, 0x1.ebe44p+0}));
    EXPECT_EQ(scores.at("speed_chroma_uv" + suffix), (Values{0x1.92f6e2p+0, 0x1.902f66p+0, 0x1.cb2edcp+0}));
}

/// Option sets on one extraction give what each gives alone.
TEST(SpeedChroma, OptionSetsShareAnExtraction) {
    const std::vector<OptionTexts> sets{
        {}, v1, {{"wvm", "3"}}, {{"mxv", "1.5"}}, {{"ks", "2"}}, {{"ps", "0.8"}, {"psm", "bilinear"}}};
    const auto clip = generated_clip(full_chroma, 1);
    const auto together = run_feature("speed_chroma", sets, clip);
    for (std::size_t i = 0; i < sets.size(); i++)
        EXPECT_EQ(together[i].frames, run_feature("speed_chroma", {sets[i]}, clip).front().frames) << i;
    EXPECT_EQ(together[3].frames.at("speed_chroma_uv_mxv_1.5"), Values{1.5});
}

TEST(SpeedChroma, EqualPicturesDoNotDiffer) {
    const Frame frame = generated_clip(full_chroma, 1).front().reference;
    const auto scores = run_feature("speed_chroma", {{}}, {{frame, frame}}).front();
    for (const auto &[name, values] : scores.frames)
        EXPECT_EQ(values, Values{0}) << name;
}

/// A plane without variance has no score: what is reported of both is the other one's.
TEST(SpeedChroma, AFlatPlaneLeavesTheScoreToTheOther) {
    const auto without = [](const Frame &frame, int flat) {
        return painted_frame(full_chroma, default_poison, [&](int plane, int x, int y) -> std::uint32_t {
            return plane == flat ? 100 : frame.plane(plane).row<std::uint8_t>(y)[x];
        });
    };
    const FramePair pair = generated_clip(full_chroma, 1).front();
    for (const int flat : {1, 2}) {
        const auto scores =
            run_feature("speed_chroma", {{}}, {{without(pair.reference, flat), without(pair.distorted, flat)}})
                .front()
                .frames;
        const Values &u = scores.at("Speed_chroma_feature_speed_chroma_u_score");
        const Values &v = scores.at("Speed_chroma_feature_speed_chroma_v_score");
        EXPECT_EQ(flat == 1 ? u : v, Values{0});
        EXPECT_GT(flat == 1 ? v[0] : u[0], 0);
        EXPECT_EQ(scores.at("Speed_chroma_feature_speed_chroma_uv_score"), flat == 1 ? v : u);
    }
}

} // namespace
} // namespace isovmaf::speed_chroma_test
