// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/crop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frame/frame_pool.hpp"

namespace isovmaf::crop_test {
namespace {

using ::testing::HasSubstr;

TEST(Crop, IsReadFromText) {
    const Crop expected{640, 360, 16, 8};
    EXPECT_EQ(parse_crop("640x360+16+8").value(), expected);
    EXPECT_EQ(parse_crop("640:360:16:8").value(), expected) << "as for ffmpeg's crop";
    EXPECT_EQ(parse_crop(crop_text(expected)).value(), expected);
    EXPECT_EQ(parse_crop("1x1+0+0").value(), (Crop{1, 1, 0, 0}));
    EXPECT_EQ(parse_crop("32768x32768+32768+32768").value(), (Crop{32768, 32768, 32768, 32768}));
}

TEST(Crop, OtherTextIsRefused) {
    for (const char *const text : {"",
                                   "640",
                                   "640x360",
                                   "640x360+16",
                                   "640x360+16+8+4",
                                   "640x360+16+8 ",
                                   " 640x360+16+8",
                                   "0x360+0+0",
                                   "640x0+0+0",
                                   "640x360+-1+8",
                                   "640x360+16+-8",
                                   "640x360-16-8",
                                   "640X360+16+8",
                                   "640x360x16x8",
                                   "640:360",
                                   "640x360:16:8",
                                   "640:360:16:8:1",
                                   "x360+16+8",
                                   "640x+16+8",
                                   "640x360++8",
                                   "640x360+16+",
                                   "32769x1+0+0",
                                   "1x32769+0+0",
                                   "1x1+32769+0",
                                   "6.4x3+0+0",
                                   "99999999999999999999x1+0+0"}) {
        const Result<Crop> crop = parse_crop(text);
        ASSERT_FALSE(crop) << text;
        EXPECT_EQ(crop.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(crop.error().message, HasSubstr("640x360+16+8")) << "no example of what would be right";
    }
}

TEST(Crop, HasTheLastChromaIfThePictureGoesOnOrHasIt) {
    const VideoFormat odd{.width = 9, .height = 5};
    const auto edge_of = [&](ChromaEdge edge, const Crop &crop) {
        return cropped(FramePool(odd, edge).take().frame, crop).chroma_edge();
    };
    EXPECT_EQ(edge_of(ChromaEdge::absent, {3, 3, 2, 0}), ChromaEdge::present);
    EXPECT_EQ(edge_of(ChromaEdge::absent, {3, 3, 6, 0}), ChromaEdge::absent) << "ends with the last column";
    EXPECT_EQ(edge_of(ChromaEdge::absent, {3, 3, 2, 2}), ChromaEdge::absent) << "ends with the last row";
    EXPECT_EQ(edge_of(ChromaEdge::present, {3, 3, 6, 2}), ChromaEdge::present);
}

TEST(Crop, LiesInsideThePicture) {
    const VideoFormat format{.width = 21, .height = 18, .chroma = Chroma::k444};
    for (const Crop &inside : {Crop{21, 18, 0, 0}, Crop{1, 1, 20, 17}, Crop{5, 3, 7, 9}})
        EXPECT_TRUE(check_crop(format, inside));
    for (const Crop &outside :
         {Crop{22, 18, 0, 0}, Crop{21, 19, 0, 0}, Crop{1, 1, 21, 0}, Crop{1, 1, 0, 18}, Crop{20, 1, 2, 0},
          Crop{4, 4, -1, 0}, Crop{4, 4, 0, -1}, Crop{0, 4, 0, 0}, Crop{4, 0, 0, 0}}) {
        const Result<void> checked = check_crop(format, outside);
        ASSERT_FALSE(checked) << outside.width << "x" << outside.height << " at " << outside.left;
        EXPECT_THAT(checked.error().message, HasSubstr("21x18"));
    }
}

TEST(Crop, StartsAtWholeChromaSamples) {
    VideoFormat format{.width = 20, .height = 20};
    const auto starts_at = [&](Chroma chroma, int left, int top) {
        format.chroma = chroma;
        return check_crop(format, {3, 3, left, top}).has_value();
    };
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444}) {
        const bool halves_x = chroma == Chroma::k420 || chroma == Chroma::k422, halves_y = chroma == Chroma::k420;
        EXPECT_TRUE(starts_at(chroma, 2, 4));
        EXPECT_EQ(starts_at(chroma, 3, 4), !halves_x);
        EXPECT_EQ(starts_at(chroma, 2, 5), !halves_y);
    }
}

TEST(Crop, EndsAtWholeChromaSamples) {
    const auto error = [](const Crop &crop, Chroma chroma) {
        const auto result = check_crop_size(chroma, crop);
        return result ? "" : result.error().message;
    };
    EXPECT_EQ(error({63, 47, 0, 0}, Chroma::k444), "");
    EXPECT_EQ(error({63, 47, 0, 0}, Chroma::k400), "");
    EXPECT_EQ(error({62, 47, 0, 0}, Chroma::k422), "");
    EXPECT_EQ(error({62, 47, 0, 0}, Chroma::k420),
              "62x47+0+0 cuts through chroma samples of 4:2:0: its width has to be a "
              "multiple of 2, its height of 2");
    EXPECT_THAT(error({63, 46, 0, 0}, Chroma::k422), HasSubstr("a multiple of 2, its height of 1"));
}

TEST(Crop, SharesTheMemoryOfTheFrame) {
    for (const int bits : {8, 10}) {
        FramePool pool({.width = 20, .height = 12, .chroma = Chroma::k422, .bit_depth = bits});
        const Frame whole = pool.take().frame;
        const Frame part = cropped(whole, {8, 5, 6, 3});
        EXPECT_EQ(part.format(), (VideoFormat{8, 5, Chroma::k422, bits}));
        EXPECT_EQ(part.owner(), whole.owner());
        const int bytes = bits > 8 ? 2 : 1;
        for (const int p : {0, 1, 2}) {
            EXPECT_EQ(part.plane(p).data, whole.plane(p).row<std::byte>(3) + (p == 0 ? 6 : 3) * bytes);
            EXPECT_EQ(part.plane(p).stride_bytes, whole.plane(p).stride_bytes);
            EXPECT_EQ(part.plane(p).width, p == 0 ? 8 : 4);
            EXPECT_EQ(part.plane(p).height, 5);
        }
    }
}

} // namespace
} // namespace isovmaf::crop_test
