// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/small_picture.hpp"

#include <gtest/gtest.h>

#include "content/patterns.hpp"

namespace isovmaf::small_picture_test {
namespace {

std::array<int, 3> first_sample(const SmallPicture &picture) {
    return {picture.planes[0].front(), picture.planes[1].front(), picture.planes[2].front()};
}

Frame of_one_colour(const VideoFormat &format, std::array<int, 3> colour) {
    return painted_frame(format, default_poison,
                         [&](int plane, int, int) { return colour[static_cast<std::size_t>(plane)]; });
}

TEST(SmallPicture, IsAWholePartOfTheFrame) {
    for (const auto &[format, width, height] : {std::tuple{VideoFormat{1920, 1080}, 640, 360},
                                                {VideoFormat{1081, 1921, Chroma::k422, 10}, 270, 480},
                                                {VideoFormat{577, 325}, 577, 325},
                                                {VideoFormat{1, 1}, 1, 1},
                                                {VideoFormat{2000, 1}, 500, 1}}) {
        const SmallPicture picture = shrink(constant_frame(format, 77), {});
        EXPECT_EQ(picture.width, width);
        EXPECT_EQ(picture.height, height);
        for (const auto &plane : picture.planes)
            EXPECT_EQ(plane.size(), static_cast<std::size_t>(width * height));
    }
}

TEST(SmallPicture, HoldsMeansOfSamples) {
    const VideoFormat format{1280, 64, Chroma::k420, 10};
    const Frame frame = painted_frame(format, default_poison, [](int plane, int x, int y) {
        return plane == 0 ? 400 + 8 * (x % 2) + 8 * (y % 2) : 512;
    });
    EXPECT_EQ(first_sample(shrink(frame, {.full_range = true})), (std::array{102, 128, 128})); // 408 / 4
}

TEST(SmallPicture, ConvertsColoursToThoseOfJpeg) {
    for (const int bits : {8, 12}) {
        const VideoFormat format{16, 16, Chroma::k444, bits};
        const int one = 1 << (bits - 8);
        const auto limited = [&](int y, int cb, int cr, const char *matrix) {
            return first_sample(shrink(of_one_colour(format, {y * one, cb * one, cr * one}), {matrix, false}));
        };
        EXPECT_EQ(limited(16, 128, 128, ""), (std::array{0, 128, 128}));
        EXPECT_EQ(limited(235, 128, 128, "bt709"), (std::array{255, 128, 128}));
        // Red of each matrix, rounded to whole levels; in full range of BT.601 it is 76, 85, 255.
        EXPECT_EQ(limited(81, 90, 240, "smpte170m"), (std::array{76, 85, 255}));
        EXPECT_EQ(limited(63, 102, 240, "bt709"), (std::array{77, 85, 255}));
        EXPECT_EQ(limited(74, 97, 240, "bt2020nc"), (std::array{77, 85, 255}));
    }
}

TEST(SmallPicture, GrayFramesAreGray) {
    EXPECT_EQ(first_sample(shrink(constant_frame({32, 32, Chroma::k400, 8}, 126), {})), (std::array{128, 128, 128}));
}

TEST(DifferencePicture, IsAmplifiedAsFarAsMostLevelsAllow) {
    const VideoFormat format{64, 36, Chroma::k420, 10};
    const auto difference = [&](std::uint32_t levels) {
        return shrink_difference({constant_frame(format, 400), constant_frame(format, 400 + 4 * levels)});
    };
    for (const auto &[levels, factor] : {std::pair{0u, 64}, {1u, 64}, {3u, 64}, {4u, 32}, {100u, 2}, {130u, 1}}) {
        EXPECT_EQ(difference(levels).factor, factor) << levels;
        EXPECT_EQ(first_sample(difference(levels).picture), (std::array{static_cast<int>(levels) * factor, 128, 128}));
    }
}

} // namespace
} // namespace isovmaf::small_picture_test
