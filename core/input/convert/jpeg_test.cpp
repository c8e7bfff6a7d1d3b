// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/convert/jpeg.hpp"

#include <cstdlib>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "input/source.hpp"

namespace isovmaf::jpeg_test {
namespace {

/// Decodes the file by libavformat, as a single picture.
Result<std::optional<Frame>> decoded(const std::string &jpeg) {
    const std::string path = ::testing::TempDir() + "isovmaf_jpeg_test.jpg";
    std::ofstream(path, std::ios::binary) << jpeg;
    auto source = open_source(path, {});
    return source ? (*source)->read() : tl::unexpected(source.error());
}

TEST(Jpeg, HoldsThePicture) {
    constexpr int width = 37, height = 21;
    std::array<std::vector<std::uint8_t>, 3> planes;
    for (int p = 0; p < 3; p++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                planes[static_cast<std::size_t>(p)].push_back(static_cast<std::uint8_t>(40 + 3 * x + 2 * y + 20 * p));
    const auto jpeg = encode_jpeg(width, height, {planes[0], planes[1], planes[2]}, 3);
    ASSERT_TRUE(jpeg) << jpeg.error().message;
    EXPECT_LT(jpeg->size(), 2000u);
    EXPECT_EQ(jpeg->find("Lavc"), std::string::npos);
    const auto frame = decoded(*jpeg);
    ASSERT_TRUE(frame && *frame);
    EXPECT_EQ((*frame)->format(), (VideoFormat{width, height, Chroma::k444, 8}));
    for (int p = 0; p < 3; p++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                ASSERT_LE(std::abs((*frame)->plane(p).row<std::uint8_t>(y)[x] - (40 + 3 * x + 2 * y + 20 * p)), 6);
}

} // namespace
} // namespace isovmaf::jpeg_test
