// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_frame.hpp"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

#include "input/testing/clip_files.hpp"

namespace isovmaf::libav_frame_test {
namespace {

using ::testing::HasSubstr;
using namespace testing;

TEST(PixelFormat, MapsBothWays) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 9, 10, 12, 14, 16}) {
            const AVPixelFormat format = pixel_format({16, 16, chroma, bits});
            const auto layout = pixel_layout(format);
            ASSERT_TRUE(layout) << pixel_format_name(format);
            EXPECT_EQ(planar_format_name({16, 16, chroma, bits}), pixel_format_name(format));
            EXPECT_EQ(layout->chroma, chroma);
            EXPECT_EQ(layout->bit_depth, bits);
            EXPECT_TRUE(layout->is_planar());
        }
    EXPECT_EQ(pixel_format({16, 16, Chroma::k420, 11}), AV_PIX_FMT_NONE);
    EXPECT_EQ(pixel_layout(AV_PIX_FMT_YUVJ422P), pixel_layout(AV_PIX_FMT_YUV422P));
}

TEST(PixelFormat, LeavesOutWhatCannotBeScored) {
    for (const char *name :
         {"rgb24", "gbrp", "gbrp10le", "pal8", "monow", "yuv411p", "yuv410p", "yuv440p", "yuv420p10be", "gray16be",
          "p010be", "grayf32le", "xyz12le", "bayer_rggb8", "vaapi", "cuda", "uyyvyy411"})
        EXPECT_FALSE(pixel_layout(av_get_pix_fmt(name))) << name;
    EXPECT_FALSE(pixel_layout(AV_PIX_FMT_NONE));
    EXPECT_EQ(pixel_layout(AV_PIX_FMT_YUVA420P), pixel_layout(AV_PIX_FMT_YUV420P)); // alpha is left out
    EXPECT_EQ(pixel_layout(AV_PIX_FMT_YA8)->components[0].step_bytes, 2);
}

AvFrame empty_frame(AVPixelFormat format, int width, int height) {
    AvFrame frame(av_frame_alloc());
    frame->format = format;
    frame->width = width;
    frame->height = height;
    EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
    return frame;
}

/// Packs 4:2:0 as nv12 and its relatives do: luma, then Cb and Cr (or Cr and Cb) in turn, moved up by `shift`.
template <class Sample>
AvFrame semi_planar(const Frame &frame, AVPixelFormat format, bool cr_first, int shift) {
    AvFrame packed = empty_frame(format, frame.format().width, frame.format().height);
    const auto put = [&](int plane, int y, int x, const Plane &from, int column) {
        auto *row = reinterpret_cast<Sample *>(packed->data[plane] + std::ptrdiff_t{y} * packed->linesize[plane]);
        row[x] = static_cast<Sample>(from.row<Sample>(y)[column] << shift);
    };
    for (int y = 0; y < frame.plane(0).height; y++)
        for (int x = 0; x < frame.plane(0).width; x++)
            put(0, y, x, frame.plane(0), x);
    for (int y = 0; y < frame.plane(1).height; y++)
        for (int x = 0; x < frame.plane(1).width; x++) {
            put(1, y, 2 * x, frame.plane(cr_first ? 2 : 1), x);
            put(1, y, 2 * x + 1, frame.plane(cr_first ? 1 : 2), x);
        }
    return packed;
}

TEST(LibavFrameConverter, SeparatesInterleavedChroma) {
    const auto check = [](const VideoFormat &format, auto sample, const char *name, bool cr_first, int shift) {
        const Frame frame = clip_frames(format, 1).front();
        AvFrame packed = semi_planar<decltype(sample)>(frame, av_get_pix_fmt(name), cr_first, shift);
        auto converter = LibavFrameConverter::create(*packed, name);
        ASSERT_TRUE(converter) << converter.error().message;
        EXPECT_EQ(converter->format(), format) << name;
        EXPECT_TRUE(same_frame(converter->convert(std::move(packed)), frame)) << name;
    };
    for (const auto &[width, height] : {std::pair{34, 18}, std::pair{33, 17}}) {
        check({width, height}, std::uint8_t{}, "nv12", false, 0);
        check({width, height}, std::uint8_t{}, "nv21", true, 0);
        check({width, height, Chroma::k420, 10}, std::uint16_t{}, "p010le", false, 6);
        check({width, height, Chroma::k420, 16}, std::uint16_t{}, "p016le", false, 0);
        if (av_get_pix_fmt("p012le") != AV_PIX_FMT_NONE)
            check({width, height, Chroma::k420, 12}, std::uint16_t{}, "p012le", false, 4);
    }
}

TEST(LibavFrameConverter, SharesPlanarMemory) {
    for (const int bits : {8, 10}) {
        const Frame frame = clip_frames({.width = 33, .height = 17, .bit_depth = bits}, 1).front();
        AvFrame decoded = av_frame(frame);
        const void *memory = decoded->data[0];
        auto converter = LibavFrameConverter::create(*decoded, "a");
        const Frame shared = converter->convert(std::move(decoded));
        EXPECT_EQ(static_cast<const void *>(shared.plane(0).data), memory);
        EXPECT_TRUE(same_frame(shared, frame));
    }
}

TEST(LibavFrameConverter, CopiesMisalignedRows) {
    const Frame frame = clip_frames({.width = 30, .height = 16, .bit_depth = 10}, 1).front();
    AvFrame decoded = av_frame(frame);
    // Moves every row of luma by one byte within its padding.
    for (int y = 0; y < 16; y++) {
        std::uint8_t *row = decoded->data[0] + std::ptrdiff_t{y} * decoded->linesize[0];
        ASSERT_GE(decoded->linesize[0], 61);
        std::memmove(row + 1, row, 60);
    }
    decoded->data[0]++;
    auto converter = LibavFrameConverter::create(*decoded, "a");
    const Frame copied = converter->convert(std::move(decoded));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copied.plane(0).data) % 2, 0u);
    EXPECT_TRUE(same_frame(copied, frame));
}

TEST(LibavFrameConverter, RefusesByNameWithAHint) {
    const auto converter = LibavFrameConverter::create(*empty_frame(AV_PIX_FMT_RGB24, 16, 16), "a.png");
    ASSERT_FALSE(converter);
    EXPECT_EQ(converter.error().code, ErrorCode::unsupported);
    EXPECT_THAT(converter.error().message, HasSubstr("a.png has pixel format rgb24, which has no one conversion"));
    EXPECT_THAT(converter.error().message, HasSubstr("ffmpeg -pix_fmt"));
}

TEST(LibavFrameConverter, AcceptsOneShapeOnly) {
    const auto converter = LibavFrameConverter::create(*empty_frame(AV_PIX_FMT_YUV420P, 16, 16), "a");
    EXPECT_TRUE(converter->accepts(*empty_frame(AV_PIX_FMT_YUVJ420P, 16, 16)));
    EXPECT_FALSE(converter->accepts(*empty_frame(AV_PIX_FMT_YUV420P, 18, 16)));
    EXPECT_FALSE(converter->accepts(*empty_frame(AV_PIX_FMT_YUV422P, 16, 16)));
    EXPECT_FALSE(converter->accepts(*empty_frame(AV_PIX_FMT_NV12, 16, 16)));
}

} // namespace
} // namespace isovmaf::libav_frame_test
