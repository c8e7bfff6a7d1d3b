// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/frame.hpp"

#include <gtest/gtest.h>

#include "frame/frame_pool.hpp"

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

TEST(Frame, HoldsTheChromaThatAnOddSizeAddsWhenItsMemoryDoes) {
    const VideoFormat odd{.width = 65, .height = 3, .chroma = Chroma::k420};
    const Frame scored = FramePool(odd).take().frame, whole = FramePool(odd, ChromaEdge::present).take().frame;
    EXPECT_EQ(scored.stored_plane(1).width, 32);
    EXPECT_EQ(whole.plane(1).width, 32);
    EXPECT_EQ(whole.stored_plane(1).width, 33);
    EXPECT_EQ(whole.stored_plane(2).height, 2);
    EXPECT_EQ(whole.stored_plane(0).width, 65);
    EXPECT_GE(whole.plane(2).data, whole.plane(1).data + 2 * whole.plane(1).stride_bytes) << "planes overlap";
}

} // namespace
} // namespace isovmaf
