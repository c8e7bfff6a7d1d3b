// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/raw/word_check.hpp"

#include <functional>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/raw/raw_source.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::word_check_test {

namespace {

using ::testing::HasSubstr;
using namespace testing;

constexpr int width = 96, height = 64;

/// What is found in a picture of samples of so many bytes.
std::optional<int> found(int bytes_per_sample, bool big_endian, const std::function<int(int x, int y)> &sample) {
    std::vector<std::byte> bytes;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int value = sample(x, y);
            if (bytes_per_sample == 2 && big_endian)
                bytes.push_back(static_cast<std::byte>(value >> 8));
            bytes.push_back(static_cast<std::byte>(value));
            if (bytes_per_sample == 2 && !big_endian)
                bytes.push_back(static_cast<std::byte>(value >> 8));
        }
    WordCheck check;
    check.add(bytes);
    return check.depth_of_words();
}

std::function<int(int, int)> noise_of(int bit_depth) {
    return [random = std::mt19937(7), bit_depth](int, int) mutable {
        return static_cast<int>(random() >> (32 - bit_depth));
    };
}

std::function<int(int, int)> picture_of(int bit_depth) {
    return [noise = noise_of(bit_depth - 5), bit_depth](int x, int y) {
        const int step = 1 << (bit_depth - 8);
        return (16 + (x + y) % 120 + (x / 16 % 2) * 60) * step + noise(x, y);
    };
}

TEST(WordCheck, FindsWordsOfDeeperSamples) {
    for (const bool big_endian : {false, true}) {
        EXPECT_EQ(found(2, big_endian, picture_of(9)), 10);
        for (const int bits : {10, 12, 14, 16})
            EXPECT_EQ(found(2, big_endian, picture_of(bits)), bits) << big_endian;
        EXPECT_EQ(found(2, big_endian, noise_of(10)), 10);
        EXPECT_EQ(found(2, big_endian, [](int x, int y) { return (600 + (x + 3 * y) % 200) << 6; }), 16)
            << "10 bit, shifted";
        EXPECT_EQ(found(2, big_endian, [](int x, int y) { return 64 + 4 * ((x + y) % 200); }), 10) << "8 bit, shifted";
    }
}

TEST(WordCheck, FindsWordsWhoseLowerBytesAreEmpty) {
    EXPECT_EQ(found(2, false, [](int x, int y) { return (16 + (x + 3 * y) % 200) << 8; }), 16);
}

TEST(WordCheck, LeavesSamplesOf8Bit) {
    EXPECT_EQ(found(1, false, picture_of(8)), std::nullopt);
    EXPECT_EQ(found(1, false, noise_of(8)), std::nullopt);
    EXPECT_EQ(found(1, false, noise_of(2)), std::nullopt);
    EXPECT_EQ(found(1, false, [](int, int) { return 128; }), std::nullopt);
    EXPECT_EQ(found(1, false, [](int x, int y) { return (x + y) % 2 * 255; }), std::nullopt);
    EXPECT_EQ(found(1, false, [](int x, int) { return x % 2 * 255; }), std::nullopt);
    EXPECT_EQ(found(1, false, [](int x, int y) { return x % 16 == 0 || y % 16 == 0 ? 235 : 16; }), std::nullopt)
        << "grid";
    EXPECT_EQ(found(1, false, [](int x, int) { return x / 2 * 2 % 251; }), std::nullopt) << "doubled columns";
    EXPECT_EQ(found(2, false, [](int, int) { return 512; }), std::nullopt) << "nothing to be seen";
}

TEST(WordCheck, IsMadeWhereFilesAreOpened) {
    const TemporaryFolder folder;
    const VideoFormat ten{.width = 64, .height = 48, .bit_depth = 10};
    VideoFormat eight = ten;
    eight.bit_depth = 8;
    const auto doubt = [&](const VideoFormat &made, const VideoFormat &stated) {
        const std::string path = folder.write("a.yuv", raw_bytes(clip_frames(made, 3)));
        return (*open_source(path, {.stated = stated}))->info().sample_doubt;
    };
    EXPECT_THAT(doubt(ten, eight), HasSubstr("a.yuv is read as samples of 8 bit, but its bytes look like words of 16 "
                                             "bit, in which samples of 10 bit are stored"));
    EXPECT_EQ(doubt(ten, ten), "");
    EXPECT_EQ(doubt(eight, eight), "");
}

} // namespace

} // namespace isovmaf::word_check_test
