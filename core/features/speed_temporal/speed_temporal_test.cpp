// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/speed_temporal/speed_temporal.hpp"

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"

namespace isovmaf::speed_temporal_test {
namespace {

using testing::generated_clip;
using testing::run_feature;
using Values = std::vector<double>;

const std::string name = "Speed_temporal_feature_speed_temporal_score";
constexpr VideoFormat format{.width = 322, .height = 242};

/// Values of the definition, which has those of libvmaf on recorded clips.
TEST(SpeedTemporal, ScoresTheChangeOfLuma) {
    const auto scores =
        run_feature("speed_temporal", {{}, {{"urd", "true"}}, {{"mxv", "1"}}}, generated_clip(format, 3));
    EXPECT_EQ(scores[0].frames.at(name), (Values{0, 0x1.da86dp+1, 0x1.6e7498p+1}));
    EXPECT_EQ(scores[1].frames.at("speed_temporal_urd"), (Values{0, 0x1.149556p+2, 0x1.0aa0b6p+2}));
    EXPECT_EQ(scores[2].frames.at("speed_temporal_mxv_1"), scores[0].frames.at(name)); // as libvmaf does not cap it
}

TEST(SpeedTemporal, EqualVideosDoNotDiffer) {
    auto clip = generated_clip(format, 2);
    for (FramePair &pair : clip)
        pair.distorted = pair.reference;
    EXPECT_EQ(run_feature("speed_temporal", {{}}, clip).front().frames.at(name), (Values{0, 0}));
}

} // namespace
} // namespace isovmaf::speed_temporal_test
