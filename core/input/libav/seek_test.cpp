// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/libav/frame_indexes.hpp"
#include "input/source.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::seek_test {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int length = 50;
constexpr VideoFormat even{.width = 96, .height = 64};
constexpr VideoFormat deep{.width = 96, .height = 64, .chroma = Chroma::k422, .bit_depth = 10};
constexpr VideoFormat wide{.width = 256, .height = 128, .chroma = Chroma::k422};

/// How a video is made, and with how many packets decoding can start: 1 when only with the first one.
struct Recipe {
    const char *name, *container, *codec;
    const char *options;
    VideoFormat format = even;
    std::size_t starts = 1;
    const char *obstacle = "";
};

constexpr const char *x264 = "preset=veryfast,g=12,bf=3,b_strategy=0,sc_threshold=0";
constexpr const char *x264_open = "preset=veryfast,g=12,bf=3,b_strategy=0,sc_threshold=0,x264-params=open-gop=1";
constexpr const char *x265 =
    "preset=ultrafast,x265-params=keyint=12:min-keyint=12:bframes=3:b-adapt=0:open-gop=0:scenecut=0:log-level=none";
constexpr const char *x265_open =
    "preset=ultrafast,x265-params=keyint=12:min-keyint=12:bframes=3:b-adapt=0:open-gop=1:scenecut=0:log-level=none";

std::vector<AvFrame> pictures_of(const VideoFormat &format) {
    std::vector<AvFrame> pictures;
    for (const Frame &frame : clip_frames(format, length))
        pictures.push_back(av_frame(frame));
    return pictures;
}

/// A whole video, decoded from its start.
struct Decoded {
    std::vector<Frame> frames;
    std::vector<std::optional<double>> times;
};

Decoded decode(const std::string &path) {
    const auto source = *open_source(path, {});
    Decoded decoded;
    for (auto frame = source->read(); frame && *frame; frame = source->read()) {
        decoded.frames.push_back(**frame);
        decoded.times.push_back((*frame)->seconds());
    }
    return decoded;
}

void expect_parts_of_the_whole(const std::string &path, FrameIndexes &indexes) {
    const Decoded whole = decode(path);
    Warnings warnings;
    for (std::size_t first = 0; first < whole.frames.size(); first += first < 3 ? 1 : 3) {
        const auto source = open_source(path, {.indexes = &indexes, .log = warnings.sink()});
        ASSERT_TRUE(source) << source.error().message;
        EXPECT_EQ((*source)->skip(static_cast<std::int64_t>(first)), static_cast<std::int64_t>(first));
        for (std::size_t n = first; n < std::min(first + 4, whole.frames.size()); n++) {
            const auto frame = (*source)->read();
            ASSERT_TRUE(frame && *frame) << (frame ? "end" : frame.error().message) << " at frame " << n;
            EXPECT_TRUE(same_frame(**frame, whole.frames[n])) << "frame " << n << " from " << first;
            EXPECT_EQ((*frame)->seconds(), whole.times[n]);
        }
    }
    EXPECT_THAT(warnings.taken(), IsEmpty());
}

/// One source goes forwards and backwards, from the end, too.
void expect_moves(const std::string &path, FrameIndexes &indexes) {
    const Decoded whole = decode(path);
    Warnings warnings;
    const auto source = *open_source(path, {.indexes = &indexes, .log = warnings.sink()});
    ASSERT_TRUE(source->can_go_to());
    for (const std::size_t first : {0U, 30U, 12U, 13U, 0U, 47U, 3U, 11U, 49U, 24U, 24U}) {
        EXPECT_EQ(source->go_to(static_cast<std::int64_t>(first)), true) << first;
        for (std::size_t n = first; n < std::min(first + 4, whole.frames.size()); n++) {
            const auto frame = source->read();
            ASSERT_TRUE(frame && *frame) << (frame ? "end" : frame.error().message) << " at frame " << n;
            EXPECT_TRUE(same_frame(**frame, whole.frames[n])) << "frame " << n << " from " << first;
            EXPECT_EQ((*frame)->seconds(), whole.times[n]);
        }
        if (first + 4 > whole.frames.size()) {
            EXPECT_EQ(source->read(), std::nullopt);
        }
    }
    EXPECT_EQ(source->go_to(length), true);
    EXPECT_EQ(source->read(), std::nullopt);
    EXPECT_EQ(source->go_to(length + 1), false);
    EXPECT_THAT(warnings.taken(), IsEmpty());
}

class Seek : public ::testing::TestWithParam<Recipe> {
  protected:
    TemporaryFolder folder;
    FrameIndexes indexes{[] { return false; }};
};

TEST_P(Seek, PartsOfAVideoHaveTheFramesOfTheWhole) {
    const Recipe recipe = GetParam();
    const std::string path = folder.file("video");
    const auto pictures = pictures_of(recipe.format);
    if (!write_videos(path, recipe.container, recipe.codec, {{.frames = &pictures, .encoder_options = recipe.options}}))
        GTEST_SKIP() << "this libav writes no " << recipe.codec << " in " << recipe.container;
    const auto index = indexes.get(path, {});
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_EQ((*index)->obstacle(), recipe.obstacle);
    if ((*index)->obstacle().empty()) {
        EXPECT_EQ((*index)->frame_count(), length);
        EXPECT_EQ((*index)->starts_for(length).size(), recipe.starts);
        expect_moves(path, indexes);
    }
    expect_parts_of_the_whole(path, indexes);
}

INSTANTIATE_TEST_SUITE_P(
    Videos, Seek,
    ::testing::Values(
        Recipe{"h264_mp4", "mp4", "libx264", x264, even, 5},
        Recipe{"h264_matroska", "matroska", "libx264", x264, even, 5},
        Recipe{"h264_mpegts", "mpegts", "libx264", x264, even, 5}, Recipe{"h264_flv", "flv", "libx264", x264, even, 5},
        Recipe{"h264_avi", "avi", "libx264", x264, even, 1, "a packet has no presentation time"},
        Recipe{"h264_open_mp4", "mp4", "libx264", x264_open},
        Recipe{"h264_open_mpegts", "mpegts", "libx264", x264_open},
        Recipe{"h264_stream", "h264", "libx264", x264, even, 1, "a packet has no presentation time"},
        Recipe{"hevc_mpegts", "mpegts", "libx265", x265, even, 5}, Recipe{"hevc_mp4", "mp4", "libx265", x265, even, 5},
        Recipe{"hevc_open_mp4", "mp4", "libx265", x265_open, even, 5},
        Recipe{"hevc_open_matroska", "matroska", "libx265", x265_open, even, 5},
        Recipe{"hevc_open_mpegts", "mpegts", "libx265", x265_open, even, 5},
        Recipe{"mpeg2_mpegts", "mpegts", "mpeg2video", "g=12,bf=2", even, 5},
        Recipe{"mpeg2_matroska", "matroska", "mpeg2video", "g=12,bf=2", even, 5},
        Recipe{"mpeg2_closed_mp4", "mp4", "mpeg2video", "g=12,bf=2,flags=+cgop,sc_threshold=1000000000", even, 5},
        Recipe{"mpeg4_avi", "avi", "mpeg4", "g=12,bf=2", even, 1, "it is coded as mpeg4"},
        Recipe{"vp8_webm", "webm", "libvpx", "g=12,auto-alt-ref=1,lag-in-frames=10,deadline=realtime", even, 1,
               "it is coded as vp8"},
        Recipe{"vp9_webm", "webm", "libvpx-vp9", "g=12,auto-alt-ref=1,lag-in-frames=10,cpu-used=5", even, 5},
        Recipe{"vp9_mp4", "mp4", "libvpx-vp9", "g=12,auto-alt-ref=1,lag-in-frames=10,cpu-used=5", even, 5},
        Recipe{"av1_mp4", "mp4", "libaom-av1", "g=12,cpu-used=8,lag-in-frames=10", even, 5},
        Recipe{"av1_matroska", "matroska", "libsvtav1", "preset=12,g=12,svtav1-params=lookahead=10", even, 5},
        Recipe{"mjpeg_mp4", "mp4", "mjpeg", "", even, length},
        Recipe{"prores_mov", "mov", "prores_ks", "", deep, length},
        Recipe{"dnxhd_mov", "mov", "dnxhd", "profile=dnxhr_sq", wide, length},
        Recipe{"ffv1_matroska", "matroska", "ffv1", "", even, length},
        Recipe{"ffv1_gops_matroska", "matroska", "ffv1", "g=12", even, 5}),
    [](const auto &test) { return std::string(test.param.name); });

constexpr const char *no_encoder = "this libav lacks the encoder or the container";

/// Tests of one video.
class SeekInOne : public ::testing::Test {
  protected:
    /// Writes a video of `pictures`. False where this libav cannot.
    [[nodiscard]] bool write(const std::string &name, const char *container, const char *codec,
                             const std::string &options, const std::vector<std::int64_t> &times = {}) {
        return write_videos(folder.file(name), container, codec,
                            {{.frames = &pictures, .times = times, .encoder_options = options}});
    }

    std::string obstacle_of(const std::string &path) {
        const auto index = indexes.get(path, {});
        return index ? (*index)->obstacle() : index.error().message;
    }

    TemporaryFolder folder;
    std::vector<AvFrame> pictures = pictures_of(even);
    FrameIndexes indexes{[] { return false; }};
};

TEST_F(SeekInOne, FramesAtIrregularTimes) {
    std::vector<std::int64_t> times;
    for (int n = 0; n < length; n++)
        times.push_back(n * 2 + (n % 5 == 0 ? 1 : 0) + (n > 20 ? 40 : 0));
    if (!write("video", "matroska", "libx264", x264, times))
        GTEST_SKIP() << no_encoder;
    EXPECT_EQ(obstacle_of(folder.file("video")), "");
    expect_parts_of_the_whole(folder.file("video"), indexes);
}

TEST_F(SeekInOne, AVideoOfAnEarlyX264IsDecodedFromItsStart) {
    if (!write("video", "mp4", "libx264", x264))
        GTEST_SKIP() << no_encoder;
    std::string bytes = read_bytes(folder.file("video"));
    const std::string name = "x264 - core ";
    const std::size_t build = bytes.find(name) + name.size();
    ASSERT_LT(build, bytes.size());
    const std::string early = folder.write("early", bytes.replace(build, 3, "148"));
    EXPECT_EQ(obstacle_of(early), "it was made by an early x264");
    expect_parts_of_the_whole(early, indexes);
}

/// Numbers the packets of an MPEG transport stream anew: those of each PID, modulo 16.
std::string renumbered(std::string stream) {
    constexpr std::size_t packet_bytes = 188;
    std::map<unsigned, unsigned> next;
    for (std::size_t at = 0; at + packet_bytes <= stream.size(); at += packet_bytes) {
        const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(stream[at + n]); };
        if ((byte(3) & 0x10U) != 0) // it has a payload
            stream[at + 3] = static_cast<char>((byte(3) & 0xF0U) | (next[(byte(1) & 31U) << 8 | byte(2)]++ & 15U));
    }
    return stream;
}

TEST_F(SeekInOne, AVideoWhoseParametersChangeIsDecodedFromItsStart) {
    if (!write("one", "mpegts", "libx264", x264))
        GTEST_SKIP() << no_encoder;
    std::vector<std::int64_t> times;
    for (int n = 0; n < length; n++)
        times.push_back(length + n);
    if (!write("two", "mpegts", "libx264", std::string(x264) + ",refs=1,bf=0", times))
        GTEST_SKIP() << no_encoder;
    const std::string joined =
        folder.write("joined", renumbered(read_bytes(folder.file("one")) + read_bytes(folder.file("two"))));
    EXPECT_EQ(obstacle_of(joined), "its parameters change midway");
    expect_parts_of_the_whole(joined, indexes);
}

TEST_F(SeekInOne, AStreamThatEndsInsideAPacketIsDecodedFromItsStart) {
    if (!write("video", "mpegts", "libx264", x264))
        GTEST_SKIP() << no_encoder;
    constexpr std::size_t packet_bytes = 188;
    const std::string bytes = read_bytes(folder.file("video"));
    const std::size_t kept = bytes.size() / packet_bytes - 4; // the last packet is longer
    EXPECT_EQ(obstacle_of(folder.write("cut", bytes.substr(0, kept * packet_bytes))),
              "its last frames do not come as its packets say");
}

TEST_F(SeekInOne, TheObstacleIsReportedOnce) {
    if (!write("video", "avi", "mpeg4", "g=12"))
        GTEST_SKIP() << no_encoder;
    std::vector<std::string> notices;
    const LogSink log = [&](Severity severity, std::string_view sentence) {
        EXPECT_EQ(severity, Severity::info);
        notices.emplace_back(sentence);
    };
    for (int n = 0; n < 2; n++)
        EXPECT_TRUE(open_source(folder.file("video"), {.indexes = &indexes, .log = log}));
    EXPECT_THAT(notices, ElementsAre(HasSubstr("is decoded from the first frame on: it is coded as mpeg4")));
}

TEST_F(SeekInOne, AFileThatChangesHasAnotherIndex) {
    if (!write("video", "matroska", "ffv1", ""))
        GTEST_SKIP() << no_encoder;
    const auto before = indexes.get(folder.file("video"), {});
    EXPECT_EQ(indexes.get(folder.file("video"), {}).value(), before.value());
    pictures.pop_back();
    if (!write("video", "matroska", "ffv1", ""))
        GTEST_SKIP() << no_encoder;
    EXPECT_EQ(indexes.get(folder.file("video"), {}).value()->frame_count(), length - 1);
}

TEST_F(SeekInOne, CancellingEndsTheBuildingOfAnIndex) {
    if (!write("video", "matroska", "ffv1", ""))
        GTEST_SKIP() << no_encoder;
    int asked = 0;
    FrameIndexes cancelled([&] { return ++asked > 5; });
    const auto index = cancelled.get(folder.file("video"), {});
    ASSERT_FALSE(index);
    EXPECT_EQ(index.error().code, ErrorCode::interrupted);
    const auto source = *open_source(folder.file("video"), {.indexes = &indexes});
    source->cancel();
    const auto skipped = source->skip(20);
    ASSERT_FALSE(skipped);
    EXPECT_EQ(skipped.error().code, ErrorCode::interrupted);
}

TEST_F(SeekInOne, AReaderBeginsBeforeTheIndexIsThere) {
    if (!write("video", "mp4", "libx264", x264))
        GTEST_SKIP() << no_encoder;
    const std::string path = folder.file("video");
    const Decoded whole = decode(path);
    for (const int before : {0, 1, 20}) {
        FrameIndexes later([] { return false; }, FrameIndexes::FirstFrames::readers);
        const auto source = *open_source(path, {.indexes = &later, .index_later = true});
        const auto expect_frame = [&](int number) {
            const auto frame = source->read();
            ASSERT_TRUE(frame && *frame) << number;
            EXPECT_TRUE(same_frame(**frame, whole.frames[static_cast<std::size_t>(number)])) << number;
        };
        for (int n = 0; n < before; n++)
            expect_frame(n);
        EXPECT_FALSE(source->can_go_to());
        ASSERT_TRUE(later.get(path, {}));
        for (int n = before; n < before + 9; n++)
            expect_frame(n);
        EXPECT_TRUE(source->can_go_to());
        EXPECT_EQ(source->go_to(3), true);
        expect_frame(3);
    }
}

/// A file that loses a packet, or a decoder that drops a frame.
TEST_F(SeekInOne, AReaderThatBeganBeforeTheIndexIsComparedWithIt) {
    if (!write("video", "mp4", "libx264", x264))
        GTEST_SKIP() << no_encoder;
    const auto index = *indexes.get(folder.file("video"), {});
    const AvFrame frame(av_frame_alloc());
    frame->pts = index->pts_of(20);
    EXPECT_EQ(FrameTrack(*index, 25, 20).take(*frame), FrameTrack::Frame::next);
    EXPECT_EQ(FrameTrack(*index, 25, 19).take(*frame), FrameTrack::Frame::wrong);
    EXPECT_EQ(FrameTrack(*index, 25, 21).take(*frame), FrameTrack::Frame::wrong);
    const auto demuxer = *LibavDemuxer::open(*ByteReader::open(folder.file("video")));
    ASSERT_TRUE(demuxer->choose({}));
    AvPacket packet;
    for (int n = 0; n <= 25; n++)
        packet = *demuxer->read();
    EXPECT_EQ(FrameTrack(*index, 25, 20).take(*packet), FrameTrack::Packet::next);
    EXPECT_EQ(FrameTrack(*index, 24, 20).take(*packet), FrameTrack::Packet::wrong);
    EXPECT_EQ(FrameTrack(*index, 26, 20).take(*packet), FrameTrack::Packet::wrong);
}

TEST_F(SeekInOne, FramesAndPacketsThatAreNotThoseOfTheIndexAreWrong) {
    if (!write("video", "mp4", "libx264", x264))
        GTEST_SKIP() << no_encoder;
    const auto index = *indexes.get(folder.file("video"), {});
    const FrameIndex::Start start = index->starts_for(length)[2];
    const AvFrame frame(av_frame_alloc());
    const auto place_of = [&](FrameTrack &track, std::int64_t number) {
        frame->pts = index->pts_of(number);
        return track.take(*frame);
    };
    FrameTrack track(*index, start);
    EXPECT_EQ(place_of(track, start.frame - 1), FrameTrack::Frame::before);
    EXPECT_EQ(place_of(track, start.frame), FrameTrack::Frame::next);
    EXPECT_EQ(place_of(track, start.frame - 1), FrameTrack::Frame::wrong); // too late
    EXPECT_EQ(place_of(track, start.frame + 2), FrameTrack::Frame::wrong); // one is missing
    EXPECT_EQ(place_of(track, start.frame + 1), FrameTrack::Frame::next);
    const auto demuxer = *LibavDemuxer::open(*ByteReader::open(folder.file("video")));
    ASSERT_TRUE(demuxer->choose({}));
    for (std::int64_t n = 0; n < start.packet; n++)
        EXPECT_EQ(track.take(**demuxer->read()), FrameTrack::Packet::before);
    EXPECT_EQ(track.take(**demuxer->read()), FrameTrack::Packet::next);
    const AvPacket changed = *demuxer->read();
    ASSERT_EQ(av_packet_make_writable(changed.get()), 0);
    changed->data[changed->size - 1] ^= 1;
    EXPECT_EQ(track.take(*changed), FrameTrack::Packet::wrong);
    EXPECT_FALSE(track.at_end());
}

} // namespace
} // namespace isovmaf::seek_test
