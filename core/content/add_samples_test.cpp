// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/testing/add_samples.hpp"

#include <string_view>

#include <gtest/gtest.h>

#include "content/patterns.hpp"

namespace isovmaf {
namespace {

std::string hash(std::string_view bytes) {
    Sha256 sha256;
    sha256.add(std::as_bytes(std::span(bytes)));
    return std::move(sha256).hex();
}

/// Hash of a frame whose samples count from 0 on, with poison around the rows.
std::string counting_frame_hash(const VideoFormat &format, std::uint8_t poison) {
    std::uint32_t next = 0;
    Sha256 sha256;
    add_samples(sha256, painted_frame(format, poison, [&](int, int, int) { return next++; }));
    return std::move(sha256).hex();
}

TEST(AddSamples, LeavesOutTheBytesBetweenRows) {
    const VideoFormat narrow{.width = 5, .height = 3, .chroma = Chroma::k420};
    const std::string_view samples("\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf\x10\x11\x12", 19); // 15 of luma, 2 and 2
    for (const std::uint8_t poison : {std::uint8_t{0}, default_poison})
        EXPECT_EQ(counting_frame_hash(narrow, poison), hash(samples));
}

TEST(AddSamples, WideSamplesAreLittleEndian) {
    const VideoFormat wide{.width = 2, .height = 2, .chroma = Chroma::k400, .bit_depth = 10};
    EXPECT_EQ(counting_frame_hash(wide, 0xa5), hash(std::string_view("\0\0\1\0\2\0\3\0", 8)));
}

} // namespace
} // namespace isovmaf
