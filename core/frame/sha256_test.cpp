// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "frame/sha256.hpp"

#include <string_view>

#include <gtest/gtest.h>

#include "content/patterns.hpp"

namespace isovmaf {
namespace {

std::string hash(std::initializer_list<std::string_view> pieces) {
    Sha256 sha256;
    for (const std::string_view piece : pieces)
        sha256.add(std::as_bytes(std::span(piece)));
    return std::move(sha256).hex();
}

/// Samples that count from 0 on, with poison around the rows.
Frame counting_frame(const VideoFormat &format, std::uint8_t poison) {
    std::uint32_t next = 0;
    return painted_frame(format, poison, [&](int, int, int) { return next++; });
}

std::string frame_hash(const Frame &frame) {
    Sha256 sha256;
    sha256.add(frame);
    return std::move(sha256).hex();
}

TEST(Sha256, HasTheValuesOfTheStandard) {
    EXPECT_EQ(hash({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hash({"abc"}), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hash({"a", "", "bc"}), hash({"abc"}));
}

TEST(Sha256, FramesAreHashedWithoutWhatLiesBetweenRows) {
    const VideoFormat narrow{.width = 5, .height = 3, .chroma = Chroma::k420};
    const std::string_view samples("\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf\x10\x11\x12", 19); // 15 of luma, 2 and 2
    for (const std::uint8_t poison : {std::uint8_t{0}, default_poison})
        EXPECT_EQ(frame_hash(counting_frame(narrow, poison)), hash({samples}));
}

TEST(Sha256, WideSamplesAreLittleEndian) {
    const VideoFormat wide{.width = 2, .height = 2, .chroma = Chroma::k400, .bit_depth = 10};
    EXPECT_EQ(frame_hash(counting_frame(wide, 0xa5)), hash({std::string_view("\0\0\1\0\2\0\3\0", 8)}));
}

} // namespace
} // namespace isovmaf
