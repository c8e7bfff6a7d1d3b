// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/frame.hpp"

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(VideoFormat, ScoredChromaSizesAreRoundedDown) {
    const VideoFormat odd{.width = 321, .height = 183, .chroma = Chroma::k420};
    EXPECT_EQ(odd.plane_width(1), 160);
    EXPECT_EQ(odd.plane_height(1), 91);
    const VideoFormat wide{.width = 321, .height = 183, .chroma = Chroma::k422};
    EXPECT_EQ(wide.plane_width(2), 160);
    EXPECT_EQ(wide.plane_height(2), 183);
    EXPECT_EQ((VideoFormat{.width = 5, .height = 5, .chroma = Chroma::k400}).plane_count(), 1);
}

} // namespace
} // namespace isovmaf
