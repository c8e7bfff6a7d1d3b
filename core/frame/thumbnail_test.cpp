// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/thumbnail.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "frame/frame_pool.hpp"

namespace isovmaf::thumbnail_test {
namespace {

constexpr int width = 50;

/// Luma of these rows of a picture whose samples all differ from their neighbours.
Frame luma_of(std::span<const int> rows, int bit_depth) {
    const VideoFormat format{
        .width = width, .height = static_cast<int>(rows.size()), .chroma = Chroma::k400, .bit_depth = bit_depth};
    WritableFrame frame = FramePool(format).take();
    for (std::size_t y = 0; y < rows.size(); y++)
        for (int x = 0; x < width; x++) {
            const auto sample = static_cast<std::uint16_t>((rows[y] * 97 + x * 31) % (1 << bit_depth));
            const auto bytes = static_cast<std::size_t>(format.bytes_per_sample());
            std::memcpy(frame.data[0] + static_cast<std::ptrdiff_t>(y) * frame.stride_bytes[0] +
                            static_cast<std::ptrdiff_t>(bytes) * x,
                        &sample, bytes);
        }
    return frame.frame;
}

/// As devices do, whose rows are fetched alone.
TEST(Thumbnail, IsMadeOfTheRowsThatAreReadAlone) {
    for (const int bit_depth : {8, 10})
        for (const int height : {1, 2, 17, 18, 19, 35, 36, 37, 54, 97, 1080}) {
            std::vector<int> all(static_cast<std::size_t>(height));
            std::iota(all.begin(), all.end(), 0);
            const std::vector<int> read = thumbnail_rows(height);
            EXPECT_TRUE(std::ranges::is_sorted(read)) << height;
            EXPECT_EQ(read.size(), std::clamp<std::size_t>(all.size(), Thumbnail::height, 2 * Thumbnail::height));
            const Frame picture = luma_of(all, bit_depth), rows = luma_of(read, bit_depth);
            const Thumbnail of_picture = make_thumbnail(picture),
                            of_rows = make_thumbnail(picture.format(), rows.plane(0));
            EXPECT_EQ(of_rows.samples, of_picture.samples) << height;
            EXPECT_EQ(of_rows.mean, of_picture.mean) << height;
        }
}

/// Two rows of each rectangle, from its first and from its middle on.
TEST(Thumbnail, ReadsTheSameRowsOfEveryPictureOfASize) {
    EXPECT_EQ(thumbnail_rows(18), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}));
    const std::vector<int> rows = thumbnail_rows(180);
    for (int n = 0; n < 2 * Thumbnail::height; n++)
        EXPECT_EQ(rows[static_cast<std::size_t>(n)], 5 * n);
}

} // namespace
} // namespace isovmaf::thumbnail_test
