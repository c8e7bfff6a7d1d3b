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

TEST(FramePool, PlanesAreAlignedAndDisjoint) {
    FramePool pool({.width = 33, .height = 17, .chroma = Chroma::k444, .bit_depth = 10});
    const WritableFrame writable = pool.take();
    for (int p = 0; p < 3; p++) {
        const Plane &plane = writable.frame.plane(p);
        EXPECT_EQ(plane.width, 33);
        EXPECT_EQ(plane.height, 17);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plane.data) % 64, 0u);
        EXPECT_GE(plane.stride_bytes, 66);
        if (p > 0) {
            EXPECT_GE(plane.data - writable.frame.plane(p - 1).data, plane.stride_bytes * 17);
        }
    }
}

TEST(FramePool, MemoryComesBackWhenTheLastCopyGoes) {
    FramePool pool({.width = 64, .height = 64});
    Frame kept = pool.take().frame;
    const std::byte *first = kept.plane(0).data;
    Frame copy = kept;
    kept = {};
    EXPECT_NE(pool.take().frame.plane(0).data, first);
    copy = {};
    EXPECT_EQ(pool.take().frame.plane(0).data, first);
}

TEST(FramePool, FramesOutliveThePool) {
    Frame frame;
    {
        FramePool pool({.width = 16, .height = 16});
        WritableFrame writable = pool.take();
        *writable.data[0] = std::byte{42};
        frame = writable.frame;
    }
    EXPECT_EQ(*frame.plane(0).row<std::uint8_t>(0), 42);
}

} // namespace
} // namespace isovmaf
