// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/small_picture.hpp"

#include <algorithm>

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

/// Levels of a row of the picture of maps.
std::vector<int> map_row(const SmallPicture &picture, int row) {
    const auto begin = picture.planes[0].begin() + std::ptrdiff_t{row} * picture.width;
    return {begin, begin + picture.width};
}

TEST(SmallPicture, ShowsTheLargestShareOfAllMaps) {
    const MapShares large{4, 2, {0, 0.25, 0, 0, 0.01f, 1, 0, 7}}, small{2, 1, {0.04f, 0}};
    const SmallPicture picture = shrink_maps({4, 2}, std::vector{large, small});
    EXPECT_EQ(map_row(picture, 0), (std::vector{51, 128, 0, 0}));
    EXPECT_EQ(map_row(picture, 1), (std::vector{51, 255, 0, 255}));
    EXPECT_EQ(picture.planes[1], std::vector<std::uint8_t>(8, 128));
    EXPECT_EQ(picture.planes[2], picture.planes[1]);
}

TEST(SmallPicture, LosesNoShareOfALargeMap) {
    const VideoFormat format{1920, 1080};
    const SmallPicture size = shrink(constant_frame(format, 0), {});
    for (const int at : {0, 517 * 961 + 960, 541 * 961 - 1}) {
        MapShares map{961, 541, std::vector<float>(961 * 541)};
        map.shares[static_cast<std::size_t>(at)] = 1;
        const SmallPicture picture = shrink_maps(format, {&map, 1});
        EXPECT_EQ(std::pair(picture.width, picture.height), std::pair(size.width, size.height));
        EXPECT_EQ(std::ranges::count(picture.planes[0], 255), 1) << at;
        EXPECT_EQ(std::ranges::count(picture.planes[0], 0), size.width * size.height - 1) << at;
    }
}

} // namespace
} // namespace isovmaf::small_picture_test
