// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "content/patterns.hpp"

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(Patterns, RowsLieInPoison) {
    for (const int bits : {8, 10, 16}) {
        const VideoFormat format{.width = 5, .height = 3, .bit_depth = bits};
        const Frame frame = constant_frame(format, 0, 0x5a);
        for (int p = 0; p < 3; p++) {
            const Plane &plane = frame.plane(p);
            const std::ptrdiff_t row_bytes = plane.width * format.bytes_per_sample();
            ASSERT_GT(plane.stride_bytes, row_bytes);
            EXPECT_EQ(plane.stride_bytes % format.bytes_per_sample(), 0);
            for (int y = 0; y < plane.height; y++)
                for (std::ptrdiff_t i = row_bytes - plane.stride_bytes; i < plane.stride_bytes; i++)
                    EXPECT_EQ(plane.row<std::byte>(y)[i], std::byte(i < 0 || i >= row_bytes ? 0x5a : 0))
                        << bits << " bit, plane " << p << ", row " << y << ", byte " << i;
        }
    }
}

TEST(Patterns, AreAskedForInRasterOrder) {
    const VideoFormat format{.width = 3, .height = 2, .chroma = Chroma::k422, .bit_depth = 16};
    std::uint32_t count = 0;
    const Frame frame = painted_frame(format, default_poison, [&](int plane, int x, int y) {
        return 0xfff0u * static_cast<std::uint32_t>(plane == 2 && x == 0 && y == 1) + count++;
    });
    EXPECT_EQ(count, 10u);
    EXPECT_EQ(frame.plane(0).row<std::uint16_t>(1)[2], 5u);
    EXPECT_EQ(frame.plane(1).row<std::uint16_t>(1)[0], 7u);
    EXPECT_EQ(frame.plane(2).row<std::uint16_t>(1)[0], 0xfff9u);
}

TEST(Patterns, NoiseIsTheSameOnEveryMachine) {
    const VideoFormat format{.width = 4, .height = 1, .chroma = Chroma::k400, .bit_depth = 16};
    const Frame frame = noise_frame(format, 5489); // the generator's own default, whose words the C++ standard checks
    const std::uint32_t words[] = {3499211612, 581869302, 3890346734, 3586334585};
    for (std::size_t x = 0; x < 4; x++)
        EXPECT_EQ(frame.plane(0).row<std::uint16_t>(0)[x], words[x] & 0xffff) << x;
}

} // namespace
} // namespace isovmaf
