// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/libav_source.hpp"

#include <chrono>
#include <cstring>
#include <filesystem>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <libavutil/pixdesc.h>
}

#include "base/try.hpp"
#include "input/libav/libav_decoder.hpp"
#include "input/libav/libav_demuxer.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::libav_source_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace testing;

constexpr VideoFormat small{.width = 64, .height = 48};

std::vector<AvFrame> pictures_of(const std::vector<Frame> &frames) {
    std::vector<AvFrame> pictures;
    for (const Frame &frame : frames)
        pictures.push_back(av_frame(frame));
    return pictures;
}

bool write_ffv1(const std::string &path, const std::vector<Frame> &frames) {
    return write_video(path, "matroska", "ffv1", pictures_of(frames));
}

TEST(LibavSource, LosslessVideoGivesTheFramesOfY4mAndRaw) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.mkv");
    int written = 0;
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 9, 10, 12, 14, 16})
            for (const auto &[width, height] : {std::pair{64, 48}, std::pair{33, 17}}) {
                const VideoFormat format{width, height, chroma, bits};
                const auto frames = clip_frames(format, 3);
                if (!write_ffv1(path, frames))
                    continue; // not every depth has an encoder
                written++;
                expect_frames(path, {}, frames);
                expect_frames(folder.write("a.yuv", raw_bytes(frames)), {.stated = format}, frames);
            }
    if (written == 0)
        GTEST_SKIP() << "this libavcodec has no ffv1 encoder";
    EXPECT_GE(written, 24);
}

TEST(LibavSource, TellsWhatItIs) {
    const TemporaryFolder folder;
    if (!write_ffv1(folder.file("a.mkv"), clip_frames(small, 4)))
        GTEST_SKIP() << "this libavcodec has no ffv1 encoder";
    const auto source = *open_source(folder.file("a.mkv"), {.decode_threads = 2});
    EXPECT_EQ(source->info().container, "matroska,webm");
    EXPECT_EQ(source->info().codec, "ffv1");
    EXPECT_EQ(source->info().frame_count, 4);
    EXPECT_EQ(read_all(*source)->size(), 4u);
    EXPECT_FALSE(source->read()->has_value());
    EXPECT_EQ(source->end_warning(), "");
}

TEST(LibavSource, NamesLikeProtocolsAreFiles) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(small, 1);
    if (!write_ffv1(folder.file("a.mkv"), frames))
        GTEST_SKIP() << "this libavcodec has no ffv1 encoder";
    expect_frames(folder.write("concat:a|b", read_bytes(folder.file("a.mkv"))), {}, frames);
}

TEST(LibavSource, ConvertsNv12) {
    const TemporaryFolder folder;
    const Frame frame = clip_frames(small, 1).front();
    std::vector<AvFrame> pictures;
    AvFrame &packed = pictures.emplace_back(av_frame_alloc());
    packed->format = AV_PIX_FMT_NV12;
    packed->width = small.width;
    packed->height = small.height;
    ASSERT_EQ(av_frame_get_buffer(packed.get(), 0), 0);
    for (int y = 0; y < small.height; y++)
        std::memcpy(packed->data[0] + y * packed->linesize[0], frame.plane(0).row<std::uint8_t>(y), 64);
    for (int y = 0; y < small.height / 2; y++)
        for (int x = 0; x < small.width; x++)
            packed->data[1][y * packed->linesize[1] + x] = frame.plane(1 + x % 2).row<std::uint8_t>(y)[x / 2];
    ASSERT_TRUE(write_video(folder.file("a.nut"), "nut", "rawvideo", pictures));
    expect_frames(folder.file("a.nut"), {}, {frame});
}

/// A picture whose bytes are all those of `pixel`, in turn.
AvFrame packed_picture(AVPixelFormat format, const std::vector<int> &pixel) {
    AvFrame picture(av_frame_alloc());
    picture->format = format;
    picture->width = picture->height = 16;
    EXPECT_EQ(av_frame_get_buffer(picture.get(), 0), 0);
    for (int y = 0; y < 16; y++)
        for (std::size_t i = 0; i < 16 * pixel.size(); i++)
            picture->data[0][static_cast<std::size_t>(y * picture->linesize[0]) + i] =
                static_cast<std::uint8_t>(pixel[i % pixel.size()]);
    return picture;
}

std::vector<int> first_samples(const Frame &frame) {
    std::vector<int> samples;
    for (int p = 0; p < frame.format().plane_count(); p++)
        samples.push_back(frame.plane(p).row<std::uint8_t>(0)[0]);
    return samples;
}

TEST(LibavSource, ConvertsRgb) {
    const TemporaryFolder folder;
    std::vector<AvFrame> red;
    red.push_back(packed_picture(AV_PIX_FMT_RGBA, {255, 0, 0, 9}));
    ASSERT_TRUE(write_video(folder.file("a.nut"), "nut", "rawvideo", red));
    const auto source = open_source(folder.file("a.nut"), {});
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ((*source)->info().format, (VideoFormat{16, 16, Chroma::k444, 8}));
    EXPECT_EQ((*source)->info().stored_pixels, "rgba");
    const std::vector<Conversion> &conversions = (*source)->info().conversions;
    EXPECT_EQ(conversions.at(0), (Conversion{"alpha dropped", ""}));
    EXPECT_THAT(conversion_text(conversions.at(1)),
                HasSubstr("rgba to yuv444p, matrix bt709, limited range, by libswscale, as ffmpeg -vf "
                          "scale=out_color_matrix=bt709:out_range=limited:flags="));
    EXPECT_THAT(first_samples(**(*source)->read()), ElementsAre(63, 102, 240));

    const auto other = *open_source(folder.file("a.nut"), {});
    const ConversionTarget full_601{{16, 16, Chroma::k420, 8}, "full", "smpte170m"};
    ASSERT_TRUE(other->convert_to(full_601));
    EXPECT_EQ(other->info().format, full_601.format);
    EXPECT_THAT(first_samples(**other->read()), ElementsAre(76, 85, 255));
}

/// A picture of 16x16 without content.
AvFrame blank_picture(AVPixelFormat format) {
    AvFrame picture(av_frame_alloc());
    picture->format = format;
    picture->width = picture->height = 16;
    EXPECT_EQ(av_frame_get_buffer(picture.get(), 0), 0);
    for (int p = 0; p < 4 && picture->data[p]; p++)
        std::memset(picture->data[p], 0,
                    p == 1 && format == AV_PIX_FMT_PAL8
                        ? 1024
                        : static_cast<std::size_t>(picture->linesize[p]) * (p == 0 ? 16 : 4));
    return picture;
}

TEST(LibavSource, ConvertsToTheNearestChromaThatFeaturesRead) {
    const TemporaryFolder folder;
    const struct {
        AVPixelFormat from;
        Chroma chroma;
        int bit_depth;
    } cases[] = {{AV_PIX_FMT_YUV411P, Chroma::k422, 8},   {AV_PIX_FMT_YUV410P, Chroma::k420, 8},
                 {AV_PIX_FMT_YUV440P, Chroma::k444, 8},   {AV_PIX_FMT_PAL8, Chroma::k444, 8},
                 {AV_PIX_FMT_MONOWHITE, Chroma::k400, 8}, {AV_PIX_FMT_GRAY10BE, Chroma::k400, 10}};
    for (const auto &c : cases) {
        std::vector<AvFrame> pictures;
        pictures.push_back(blank_picture(c.from));
        ASSERT_TRUE(write_video(folder.file("a.nut"), "nut", "rawvideo", pictures)) << c.from;
        const auto source = open_source(folder.file("a.nut"), {});
        ASSERT_TRUE(source) << source.error().message;
        EXPECT_EQ((*source)->info().format, (VideoFormat{16, 16, c.chroma, c.bit_depth})) << c.from;
        EXPECT_EQ((*source)->info().matrix_assumed, c.from == AV_PIX_FMT_PAL8) << c.from;
        EXPECT_TRUE((*source)->read()->has_value());
    }
}

TEST(LibavSource, DropsAlphaAndKeepsLuma) {
    const TemporaryFolder folder;
    const auto frames = clip_frames(small, 1);
    for (const AVPixelFormat format :
         {AV_PIX_FMT_YUVA420P, AV_PIX_FMT_YUV411P, AV_PIX_FMT_YUV410P, AV_PIX_FMT_YUV440P}) {
        std::vector<AvFrame> pictures;
        AvFrame &picture = pictures.emplace_back(av_frame_alloc());
        picture->format = format;
        picture->width = small.width;
        picture->height = small.height;
        ASSERT_EQ(av_frame_get_buffer(picture.get(), 0), 0);
        int shift_x = 0, shift_y = 0;
        ASSERT_EQ(av_pix_fmt_get_chroma_sub_sample(format, &shift_x, &shift_y), 0);
        for (int p = 1; p < 3; p++)
            std::memset(picture->data[p], 100 + p, static_cast<std::size_t>(picture->linesize[p] * (48 >> shift_y)));
        for (int y = 0; y < small.height; y++)
            std::memcpy(picture->data[0] + y * picture->linesize[0], frames[0].plane(0).row<std::uint8_t>(y), 64);
        ASSERT_TRUE(write_video(folder.file("a.nut"), "nut", "rawvideo", pictures));
        const auto source = open_source(folder.file("a.nut"), {});
        ASSERT_TRUE(source) << source.error().message;
        EXPECT_THAT((*source)->info().conversions, ::testing::SizeIs(1)) << format;
        EXPECT_EQ((*source)->info().planar_filter, format == AV_PIX_FMT_YUVA420P ? "format=yuv420p" : "");
        const Frame read = **(*source)->read();
        for (int y = 0; y < small.height; y++)
            ASSERT_EQ(std::memcmp(read.plane(0).row<std::uint8_t>(y), frames[0].plane(0).row<std::uint8_t>(y), 64), 0);
    }
}

TEST(LibavSource, ReadsNumberedPictures) {
    const TemporaryFolder folder;
    for (const char *name : {"p1001.png", "p1002.png", "p1003.png"}) {
        std::vector<AvFrame> picture;
        picture.push_back(packed_picture(AV_PIX_FMT_RGB24, {0, 255, 0}));
        if (!write_video(folder.file(name), "image2pipe", "png", picture))
            GTEST_SKIP() << "this libavcodec has no png encoder";
    }
    const auto source = open_source(folder.file("p%04d.png"), {});
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ(read_all(**source)->size(), 3u);
    EXPECT_EQ(read_all(**open_source(folder.file("p1001.png"), {}))->size(), 1u);
    EXPECT_THAT(open_source(folder.file("q%02d.png"), {}).error().message, HasSubstr("no picture has such a numbered"));
    EXPECT_THAT(open_source("nosuchscheme://host/a.mp4", {}).error().message, HasSubstr("nosuchscheme://host/a.mp4"));
    std::filesystem::remove(folder.file("p1002.png"));
    EXPECT_THAT(open_source(folder.file("p%04d.png"), {}).error().message, HasSubstr("but number 1002 is missing"));
}

/// libav's own encoder writes tags that its decoder does not know, such as the unit of the resolution.
TEST(LibavSource, ReadsTiffAndRefusesDamageInIt) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.tif");
    std::vector<AvFrame> picture;
    picture.push_back(packed_picture(AV_PIX_FMT_RGB24, {0, 255, 0}));
    if (!write_video(path, "image2pipe", "tiff", picture))
        GTEST_SKIP() << "this libavcodec has no tiff encoder";
    const auto read = [&] {
        const auto source = open_source(path, {});
        if (!source)
            return source.error().message;
        const auto frame = (*source)->read();
        return frame ? std::string() : frame.error().message;
    };
    EXPECT_EQ(read(), "");
    std::string bytes = read_bytes(path);
    bytes.replace(8, 16, 16, '\x01'); // runs of its compression then end behind the picture's rows
    folder.write("a.tif", bytes);
    EXPECT_THAT(read(), HasSubstr("a.tif"));
}

/// A server on a free port of this machine that takes connections and says nothing.
class SilentServer {
  public:
    SilentServer() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr *>(&address), size), 0);
        EXPECT_EQ(listen(socket_, 1), 0);
        EXPECT_EQ(getsockname(socket_, reinterpret_cast<sockaddr *>(&address), &size), 0);
        port_ = ntohs(address.sin_port);
    }
    ~SilentServer() { close(socket_); }

    [[nodiscard]] std::string url() const { return fmt::format("http://127.0.0.1:{}/a.mp4", port_); }

  private:
    int socket_, port_ = 0;
};

TEST(LibavDemuxer, GivesUpOnAServerThatSaysNothing) {
    const SilentServer server;
    const auto demuxer = LibavDemuxer::open(server.url(), std::chrono::milliseconds(50));
    ASSERT_FALSE(demuxer);
    EXPECT_EQ(demuxer.error().code, ErrorCode::io);
    EXPECT_THAT(demuxer.error().message, HasSubstr("cannot open " + server.url()));
    EXPECT_THAT(demuxer.error().message, HasSubstr("check the address, and the network"));
}

void damage(std::string &bytes, std::size_t at) { bytes[at] = static_cast<char>(bytes[at] ^ 0x55); }

/// Start of the n-th occurrence, counted from 0, of Matroska's SimpleBlock: id, length, then track 1.
std::size_t find_block(const std::string &bytes, int n) {
    std::size_t at = bytes.find("\x1f\x43\xb6\x75"); // cluster
    for (int i = 0; i <= n; i++) {
        at = bytes.find('\xa3', at + 1);
        while (at != std::string::npos && bytes[at + 3] != '\x81' && bytes[at + 4] != '\x81')
            at = bytes.find('\xa3', at + 1);
    }
    return at;
}

class DamagedVideo : public ::testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        if (!write_ffv1(folder_.file("a.mkv"), clip_frames(small, 8)))
            GTEST_SKIP() << "this libavcodec has no ffv1 encoder";
        bytes_ = read_bytes(folder_.file("a.mkv"));
    }

    Result<std::vector<Frame>> read_bytes_as_video(bool strict = false) {
        const auto source =
            TRY(open_source(folder_.write("b.mkv", bytes_), {.strict = strict, .decode_threads = GetParam()}));
        auto frames = read_all(*source);
        end_warning_ = source->end_warning();
        return frames;
    }

    TemporaryFolder folder_;
    std::string bytes_;
    std::string end_warning_; ///< of the video that was read last
};

TEST_P(DamagedVideo, DamageBeforeTheEndIsAnError) {
    damage(bytes_, find_block(bytes_, 5) + 500);
    const auto frames = read_bytes_as_video();
    ASSERT_FALSE(frames);
    EXPECT_EQ(frames.error().code, ErrorCode::corrupt_data);
    EXPECT_THAT(frames.error().message, HasSubstr("cannot decode frame 5 of "));
    EXPECT_THAT(frames.error().message, HasSubstr("b.mkv (ffv1): "));
}

TEST_P(DamagedVideo, DamageInTheLastFrameIsAWarning) {
    damage(bytes_, find_block(bytes_, 7) + 500);
    const auto frames = read_bytes_as_video();
    ASSERT_TRUE(frames) << frames.error().message;
    EXPECT_EQ(frames->size(), 7u);
    EXPECT_THAT(end_warning_,
                AllOf(HasSubstr("ends with a damaged frame ("), HasSubstr("; the 7 whole frames before it are used")));
    EXPECT_THAT(read_bytes_as_video(true).error().message, HasSubstr("strict scoring wants whole videos"));
}

TEST_P(DamagedVideo, ACutFileGivesItsWholeFrames) {
    bytes_.resize(find_block(bytes_, 6) + 500);
    const auto frames = read_bytes_as_video();
    ASSERT_TRUE(frames) << frames.error().message;
    EXPECT_EQ(frames->size(), 6u);
    EXPECT_THAT(end_warning_, HasSubstr("(matroska,webm) says; the 6 frames it holds are used"));
    EXPECT_THAT(read_bytes_as_video(true).error().message, HasSubstr("strict scoring wants whole videos"));
}

INSTANTIATE_TEST_SUITE_P(Threads, DamagedVideo, ::testing::Values(1, 3));

TEST(LibavSource, DamagedMpeg4IsAnErrorWithAnyThreads) {
    const TemporaryFolder folder;
    if (!write_video(folder.file("a.avi"), "avi", "mpeg4", pictures_of(clip_frames(small, 12))))
        GTEST_SKIP() << "this libavcodec has no mpeg4 encoder";
    std::string bytes = read_bytes(folder.file("a.avi"));
    for (std::size_t i = 0; i < 40; i++)
        damage(bytes, bytes.size() / 2 + 7 * i);
    for (const int threads : {1, 4}) {
        const auto source = *open_source(folder.write("b.avi", bytes), {.decode_threads = threads});
        const auto frames = read_all(*source);
        ASSERT_FALSE(frames);
        EXPECT_THAT(frames.error().message, HasSubstr("b.avi (mpeg4): "));
    }
}

TEST(LibavSource, RefusesAChangeOfSize) {
    const TemporaryFolder folder;
    // MPEG-TS can be joined, and mpeg2video changes its size at a sequence header.
    const VideoFormat large{.width = 96, .height = 80};
    if (!write_video(folder.file("a.ts"), "mpegts", "mpeg2video", pictures_of(clip_frames(small, 3))) ||
        !write_video(folder.file("b.ts"), "mpegts", "mpeg2video", pictures_of(clip_frames(large, 3))))
        GTEST_SKIP() << "this libavcodec has no mpeg2video encoder";
    const std::string joined = folder.write("c.ts", read_bytes(folder.file("a.ts")) + read_bytes(folder.file("b.ts")));
    const auto source = *open_source(joined, {.decode_threads = 1});
    const auto frames = read_all(*source);
    ASSERT_FALSE(frames);
    EXPECT_THAT(frames.error().message, HasSubstr("is 96x80 yuv420p, but the video began as 64x48 yuv420p"));
}

/// ProRes states the colours of each picture.
TEST(LibavSource, PicturesSayWhatTheyChange) {
    const TemporaryFolder folder;
    const VideoFormat format{.width = 64, .height = 48, .chroma = Chroma::k422, .bit_depth = 10};
    std::vector<AvFrame> pictures = pictures_of(clip_frames(format, 5));
    for (std::size_t n = 0; n < pictures.size(); n++)
        pictures[n]->color_trc = n == 2 || n == 3 ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_BT709;
    if (!write_video(folder.file("a.mov"), "mov", "prores_ks", pictures))
        GTEST_SKIP() << "this libavcodec has no prores_ks encoder";
    const auto source = *open_source(folder.file("a.mov"), {});
    EXPECT_EQ(source->info().colour.transfer, "bt709");
    std::vector<std::string> transfers;
    for (std::size_t n = 0; n < pictures.size(); n++) {
        ASSERT_TRUE(**source->read());
        transfers.push_back(source->change() ? source->change()->colour.transfer : "");
    }
    EXPECT_THAT(transfers, ElementsAre("", "", "smpte2084", "smpte2084", ""));
}

TEST(LibavDecoder, FilmGrainIsLeftOutByDecodersThatCan) {
    for (const auto &[codec, decoder] : {std::pair{AV_CODEC_ID_AV1, "libdav1d"},
                                         {AV_CODEC_ID_H264, "h264"},
                                         {AV_CODEC_ID_HEVC, "hevc"},
                                         {AV_CODEC_ID_VP9, "libvpx-vp9"}})
        EXPECT_TRUE(check_leaves_grain_out(codec, decoder, "a.mkv")) << decoder;
    for (const auto &[codec, decoder] :
         {std::pair{AV_CODEC_ID_AV1, "libaom-av1"}, {AV_CODEC_ID_H264, "h264_v4l2m2m"}}) {
        const Result<void> refused = check_leaves_grain_out(codec, decoder, "a.mkv");
        ASSERT_FALSE(refused) << decoder;
        EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
        EXPECT_THAT(refused.error().message,
                    AllOf(HasSubstr("the film grain of a.mkv cannot be left out"), HasSubstr(decoder)));
    }
}

TEST(LibavSource, RefusesFilesWithoutVideo) {
    const TemporaryFolder folder;
    // One second of silence: a RIFF header of 44 bytes and samples.
    std::string wave = "RIFF....WAVEfmt \x10";
    wave.append(3, '\0');
    wave += std::string("\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x80\x3e\0\0", 24);
    wave.append(16000, '\0');
    const auto source = open_source(folder.write("a.wav", wave), {});
    ASSERT_FALSE(source);
    EXPECT_THAT(source.error().message, HasSubstr("a.wav (wav) has no video stream"));
}

} // namespace
} // namespace isovmaf::libav_source_test
