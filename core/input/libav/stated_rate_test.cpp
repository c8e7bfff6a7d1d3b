// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/stated_rate.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "input/libav/describe_file.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::stated_rate_test {

namespace {

using namespace testing;

constexpr VideoFormat small{.width = 64, .height = 48};

std::optional<Rational> rate_of(AVCodecID codec, AVRational decoded, std::vector<std::uint8_t> extra = {}) {
    AVCodecParameters stream{};
    stream.codec_id = codec;
    stream.extradata = extra.data();
    stream.extradata_size = static_cast<int>(extra.size());
    AVCodecContext decoder{};
    decoder.framerate = decoded;
    return coded_rate(stream, decoder);
}

TEST(CodedRate, IsThatOfTheDecoderUnlessItIsAClock) {
    EXPECT_EQ(rate_of(AV_CODEC_ID_H264, {30000, 1001}), (Rational{30000, 1001}));
    EXPECT_EQ(rate_of(AV_CODEC_ID_HEVC, {960, 1}), (Rational{960, 1}));
    EXPECT_EQ(rate_of(AV_CODEC_ID_HEVC, {0, 1}), std::nullopt);
    for (const int clock : {1000, 15360, 90000})
        EXPECT_EQ(rate_of(AV_CODEC_ID_H264, {clock, 1}), std::nullopt) << clock;
}

/// A sequence header with these numbers, as an OBU with a size. `ticks` of a picture: 0 when intervals are not equal.
std::vector<std::uint8_t> av1_header(std::uint32_t units, std::uint32_t scale, std::uint32_t ticks) {
    std::string bits = "000001"; // profile, no still picture, no reduced header, timing info
    const auto add = [&bits](std::uint32_t value, int count) {
        for (int i = count; i-- > 0;)
            bits += (value >> i & 1U) != 0 ? '1' : '0';
    };
    add(units, 32);
    add(scale, 32);
    bits += ticks > 0 ? '1' : '0';
    int zeros = 0;
    while (ticks >> zeros > 1)
        zeros++;
    if (ticks > 0) {
        add(0, zeros);
        add(ticks, zeros + 1);
    }
    bits.resize(160, '0');
    std::vector<std::uint8_t> bytes{0x0A, 20};
    for (std::size_t i = 0; i < bits.size(); i += 8)
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(bits.substr(i, 8), nullptr, 2)));
    return bytes;
}

TEST(CodedRate, IsThatOfTheSequenceHeaderOfAv1) {
    const auto rate = [](std::vector<std::uint8_t> extra) {
        return rate_of(AV_CODEC_ID_AV1, {25, 1}, std::move(extra));
    };
    EXPECT_EQ(rate(av1_header(1, 60, 1)), (Rational{60, 1}));
    EXPECT_EQ(rate(av1_header(1001, 24000, 0)), (Rational{24000, 1001})) << "unequal intervals";
    EXPECT_EQ(rate(av1_header(1, 240, 4)), (Rational{60, 1})) << "four ticks a picture";
    EXPECT_EQ(rate(av1_header(1, 90000, 3003)), (Rational{30000, 1001}));
    EXPECT_EQ(rate(av1_header(1, 90000, 0)), std::nullopt);
    std::vector<std::uint8_t> box = av1_header(1, 50, 1);
    box.insert(box.begin(), {0x81, 0x00, 0x0C, 0x00});
    EXPECT_EQ(rate(box), (Rational{50, 1}));
    for (const auto &damaged : {std::vector<std::uint8_t>{}, {0x0A}, {0x0A, 0x80}, {0x12, 0x00}, {0x0A, 0x01, 0x04}})
        EXPECT_EQ(rate(damaged), std::nullopt);
    EXPECT_EQ(rate(av1_header(0, 60, 1)), std::nullopt);
    EXPECT_EQ(rate(av1_header(1, 60, 0xFFFF'FFFF)), std::nullopt);
}

std::vector<AvFrame> pictures(int count) {
    std::vector<AvFrame> all;
    for (const Frame &frame : clip_frames(small, count)) {
        all.push_back(av_frame(frame));
        all.back()->color_range = AVCOL_RANGE_JPEG;
    }
    return all;
}

/// What a source says of the second frame's time, and of the rate.
std::pair<std::optional<Rational>, std::optional<double>> second_frame(const std::string &path,
                                                                       const StatedFormat &stated = {}) {
    const auto source = *open_source(path, {.stated = stated});
    EXPECT_EQ(source->skip(1), 1);
    return {source->info().timing.average_rate, (*source->read())->seconds()};
}

TEST(StatedRate, IsThatOfTheCodedVideoWhereTheFormatHasNoTimes) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.m2v");
    const auto frames = pictures(4);
    if (!write_videos(path, "mpeg2video", "mpeg2video", {{.frames = &frames, .encoder_options = "g=4,bf=2"}}))
        GTEST_SKIP() << "this libav writes no MPEG-2";
    EXPECT_EQ(second_frame(path), std::pair(std::optional(Rational{25, 1}), std::optional(1 / 25.0)));
    const SourceTiming timing = describe_file(path)->streams.at(0).timing;
    EXPECT_EQ(timing.average_rate, (Rational{25, 1}));
    EXPECT_EQ(timing.start_seconds, std::nullopt);
    EXPECT_EQ(timing.duration_seconds, std::nullopt) << "libav guesses it from the bit rate";
}

TEST(StatedRate, IsMissingWhereLibavHasADefault) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.mjpeg"), pattern = folder.file("p%02d.jpg");
    if (!write_video(path, "mjpeg", "mjpeg", pictures(3)))
        GTEST_SKIP() << "this libav writes no Motion JPEG";
    for (const char *name : {"p01.jpg", "p02.jpg"})
        ASSERT_TRUE(write_video(folder.file(name), "mjpeg", "mjpeg", pictures(1)));
    for (const std::string &name : {path, pattern}) {
        EXPECT_EQ(second_frame(name), std::pair(std::optional<Rational>(), std::optional<double>())) << name;
        const SourceTiming timing = describe_file(name)->streams.at(0).timing;
        EXPECT_FALSE(timing.average_rate || timing.base_rate || timing.time_base) << name;
    }
    StatedFormat stated;
    stated.frame_rate = Rational{60, 1};
    EXPECT_EQ(second_frame(path, stated), std::pair(stated.frame_rate, std::optional(1 / 60.0)))
        << "the user states one";
}

} // namespace

} // namespace isovmaf::stated_rate_test
