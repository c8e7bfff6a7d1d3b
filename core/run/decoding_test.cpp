// SPDX-License-Identifier: BSD-2-Clause-Patent
// Videos that a device decodes, on the backend that ISOVMAF_TEST_PLUGIN names, by a pretended decoder.
#include "run/decoding.hpp"

#include <cstdlib>
#include <filesystem>
#include <future>
#include <latch>

#include <gmock/gmock.h>

#include "base/testing/thread_sanitizer.hpp"
#include "device/testing/kept_device.hpp"
#include "engine/testing/session_scores.hpp"
#include "execution/execution.hpp"
#include "input/libav/frame_indexes.hpp"
#include "input/libav/hardware_decoding.hpp"
#include "input/pair/shared_source.hpp"
#include "input/testing/clip_files.hpp"
#include "run/parted_video.hpp"
#include "run/testing/pretended_decoding.hpp"
#include "run/videos.hpp"

namespace isovmaf::decoding_test {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

[[maybe_unused]] const KeptDevice &kept_device = KeptDevice::add();

/// What became of scoring two videos.
struct Scored {
    Result<VideoEnd> end;
    std::vector<FrameScores> frames;
    std::pair<std::string, std::string> decoders;
    std::vector<std::string> notes, pair_notes;
    std::vector<Frame> watched; ///< of the distorted video, as are the small pictures
    std::vector<Thumbnail> seen;
};

class DecodedByADevice : public ::testing::Test {
  protected:
    /// Under ThreadSanitizer one group of pictures and the next key frame: all slots and surfaces are used again by
    /// then.
    static constexpr int frame_count = under_thread_sanitizer ? 13 : 36;

    void SetUp() override { setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1); }
    void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

    /// Two videos, of H.264 with key frames 12 frames apart and frames that refer to later ones.
    [[nodiscard]] bool write(const VideoFormat &format, const char *encoder = "libx264",
                             const std::string &options = "g=12,bf=2,preset=fast,crf=20",
                             AVColorRange reference_range = AVCOL_RANGE_UNSPECIFIED,
                             const char *container = "matroska") {
        format_ = format;
        std::vector<AvFrame> reference, distorted;
        for (const FramePair &pair : clip_of(format, frame_count)) {
            reference.push_back(av_frame(pair.reference));
            reference.back()->color_range = reference_range;
            distorted.push_back(av_frame(pair.distorted));
        }
        return write_videos(folder_.file("ref.mkv"), container, encoder,
                            {{.frames = &reference, .encoder_options = options}}) &&
               write_videos(folder_.file("dis.mkv"), container, encoder,
                            {{.frames = &distorted, .encoder_options = options}});
    }

    [[nodiscard]] VideoRequest request() const {
        return {.reference = {.path = folder_.file("ref.mkv")}, .distorted = {.path = folder_.file("dis.mkv")}};
    }

    /// Psnr reads all samples, and motion keeps earlier pictures. The model's other features read the same pictures,
    /// and take most of the time.
    [[nodiscard]] SessionOptions scored(SessionOptions options) const {
        if (!with_model_)
            options.scoring.models.clear();
        return options;
    }

    /// On the CPU, decoded by software.
    [[nodiscard]] Scored in_software(const VideoRequest &asked) const {
        const SessionOptions options = scored(on_cpu(format_));
        return run(asked, options, value_of(open_execution(options.execution)), {});
    }

    /// On the device, decoded by the pretended decoder.
    [[nodiscard]] Scored on_the_device(const VideoRequest &asked, bool required, int in_flight = 0) {
        SessionOptions options = scored(on_device(format_));
        options.execution.frames_in_flight = in_flight;
        const ExecutionHandle execution = value_of(open_execution(options.execution));
        return run(asked, options, execution, {.device = pretended_on(execution), .required = required});
    }

    /// The pretended decoder of the device that an execution opened.
    [[nodiscard]] std::shared_ptr<PretendedDevice> pretended_on(const ExecutionHandle &execution) {
        return std::make_shared<PretendedDevice>(value_of(execution->opened()).devices.front().device, pretence_);
    }

    /// Scores whole videos. `reference`: opened before; null: it is opened here.
    [[nodiscard]] static Scored run(const VideoRequest &asked, const SessionOptions &options,
                                    const ExecutionHandle &execution, const Decoding &decoding,
                                    std::unique_ptr<FrameSource> reference = {}) {
        Scored scored;
        const LogSink log = [&](Severity, std::string_view text) { scored.notes.emplace_back(text); };
        OpenedVideos videos =
            value_of(reference ? open_videos(asked, std::move(reference), log) : open_videos(asked, log));
        const PartPlace place{.execution = execution, .label = "", .decoding = decoding};
        const VideoFormat format = videos.pairs->format();
        const auto video =
            value_of(PartedVideo::create(asked, format, options.scoring, {place}, std::move(videos.pairs), log));
        scored.end =
            video->run(uncut_plan, {.seen = [&](const PairThumbnails &pair) { scored.seen.push_back(pair.distorted); },
                                    .watched = [&](const FramePair &pair) { scored.watched.push_back(pair.distorted); },
                                    .scored = [&](FrameScores scores) { scored.frames.push_back(std::move(scores)); }});
        for (const PairWarning &note : video->notes())
            scored.pair_notes.push_back(note.sentence);
        for (const PairWarning &warning : video->warnings())
            scored.pair_notes.push_back(warning.sentence);
        scored.decoders = video->decoders();
        return scored;
    }

    void expect_like_software(const Scored &found) const {
        const Scored expected = in_software(request());
        ASSERT_TRUE(expected.end && found.end) << (found.end ? expected : found).end.error().message;
        ASSERT_THAT(expected.frames, SizeIs(frame_count));
        expect_equal(Outcome{found.frames, {}, {}}, Outcome{expected.frames, {}, {}});
        ASSERT_THAT(found.watched, SizeIs(frame_count));
        ASSERT_EQ(found.seen.size(), expected.seen.size());
        for (std::size_t n = 0; n < found.watched.size(); n++) {
            EXPECT_TRUE(!found.watched[n].device() && same_frame(found.watched[n], expected.watched[n])) << n;
            EXPECT_EQ(found.seen[n].samples, expected.seen[n].samples) << n;
        }
    }

    TemporaryFolder folder_;
    VideoFormat format_;
    Pretence pretence_;
    bool with_model_ = false;
};

#define WRITE_OR_SKIP(...)                                                                                             \
    if (!write(__VA_ARGS__))                                                                                           \
    GTEST_SKIP() << "this libavcodec has no encoder for such video"

constexpr VideoFormat small{.width = 66, .height = 50};
constexpr VideoFormat deep{.width = 66, .height = 50, .bit_depth = 10};

TEST_F(DecodedByADevice, ChangesNoScore) {
    with_model_ = true;
    for (const VideoFormat &format : {small, deep})
        for (const int in_flight : {1, 0, 16}) {
            WRITE_OR_SKIP(format);
            const Scored found = on_the_device(request(), true, in_flight);
            expect_like_software(found);
            EXPECT_THAT(found.decoders.first, HasSubstr("pretended decoder; equal to software in"));
            EXPECT_EQ(found.decoders.second, "pretended decoder; equal to software in an earlier comparison");
        }
}

TEST_F(DecodedByADevice, WrongSamplesAreAnErrorWhichNamesTheFrame) {
    WRITE_OR_SKIP(small);
    for (const bool required : {true, false}) {
        pretence_.wrong_from = 3 * 40; // frame 3 at 25 frames per second
        EXPECT_THAT(on_the_device(request(), required).end.error().message,
                    AllOf(HasSubstr("frame 3 of "), HasSubstr("ref.mkv has other samples when pretended decoder")));
        pretence_.wrong_from = 12 * 40; // the second key frame; the comparison looks behind it
        EXPECT_THAT(on_the_device(request(), required).end.error().message,
                    HasSubstr("the frame at 0.480 s of " + folder_.file("ref.mkv")));
    }
}

TEST_F(DecodedByADevice, IsComparedOnceForEachDecoder) {
    WRITE_OR_SKIP(small);
    pretence_.wrong_from = 0;
    ASSERT_FALSE(on_the_device(request(), true).end);
    pretence_.wrong_from = Pretence::never;
    const auto opened = [&] {
        pretence_.opened = 0;
        EXPECT_TRUE(on_the_device(request(), true).end);
        return pretence_.opened.load();
    };
    EXPECT_EQ(opened(), 3 + 1 + 1); // a difference is not remembered; three places of one video
    EXPECT_EQ(opened(), 2);
    pretence_.name = "pretended decoder, driver 2";
    EXPECT_EQ(opened(), 5);
    WRITE_OR_SKIP(deep);
    EXPECT_EQ(opened(), 5);
    for (const auto &file : std::filesystem::directory_iterator(folder_.file("cache/isovmaf/decoders")))
        folder_.write(file.path().string(), "same samples as software: another");
    EXPECT_EQ(opened(), 5);
}

TEST_F(DecodedByADevice, WithoutACacheFolderIsComparedEachTime) {
    WRITE_OR_SKIP(small);
    folder_.write("cache", "a file");
    for (int n = 0; n < 2; n++)
        EXPECT_TRUE(on_the_device(request(), true).end);
    EXPECT_EQ(pretence_.opened, 2 * (4 + 4));
}

TEST_F(DecodedByADevice, AnExhaustedDecoderIsAnErrorAndNoHang) {
    WRITE_OR_SKIP(small);
    pretence_.surfaces = 0; // the first pictures are compared before the videos are read
    const Error at_first = on_the_device(request(), true).end.error();
    EXPECT_EQ(at_first.code, ErrorCode::out_of_memory) << "not that the device cannot decode such video";
    EXPECT_THAT(at_first.message, HasSubstr("no decoder surfaces left"));
    pretence_.surfaces = -1;
    ASSERT_TRUE(on_the_device(request(), true).end);
    pretence_.surfaces = 30;
    EXPECT_EQ(on_the_device(request(), false).end.error().message, "no decoder surfaces left");
}

TEST_F(DecodedByADevice, ASharedReferenceIsDecodedOnce) {
    WRITE_OR_SKIP(small);
    const SessionOptions options = scored(on_device(format_));
    const ExecutionHandle execution = value_of(open_execution(options.execution));
    const auto device = pretended_on(execution);
    auto references = value_of(share_source(value_of(open_reference(request(), {})), 2));
    std::vector<std::future<Scored>> runs;
    for (auto &reference : references)
        runs.push_back(std::async(std::launch::async, [&] {
            return run(request(), options, execution, {.device = device, .required = true}, std::move(reference));
        }));
    for (std::future<Scored> &one : runs) {
        const Scored found = one.get();
        expect_like_software(found);
        EXPECT_THAT(found.decoders.first, HasSubstr("pretended decoder"));
    }
    EXPECT_EQ(pretence_.opened, 3 + 3); // of the three videos one is compared, in three places
}

TEST_F(DecodedByADevice, ReadersThatBeginTogetherWaitForOneComparison) {
    WRITE_OR_SKIP(small);
    const SessionOptions options = scored(on_device(format_));
    const ExecutionHandle execution = value_of(open_execution(options.execution));
    const auto device = pretended_on(execution);
    std::latch ready(4);
    std::vector<std::future<Result<void>>> starts;
    for (std::ptrdiff_t n = 0; n < 4; n++)
        starts.push_back(std::async(std::launch::async, [&]() -> Result<void> {
            const OpenedVideos videos = TRY(open_videos(request(), {}));
            ready.arrive_and_wait();
            return videos.pairs->start({.decoding = {.device = device, .required = true}});
        }));
    for (std::future<Result<void>> &start : starts)
        EXPECT_TRUE(start.get());
    EXPECT_EQ(pretence_.opened, 3 + 4 * 2); // one video is compared, in three places
}

TEST_F(DecodedByADevice, FramesOfAnyFormatAreFetchedAfterTheirSurfacesWereUsedAgain) {
    const DeviceHandle handle = value_of(Session::create(on_device(small))).device();
    PretendedDevice device(handle, pretence_);
    std::vector<Frame> expected, taken;
    constexpr VideoFormat equal_distances{.width = 40, .height = 4 * 36, .bit_depth = 10}; // of the rows of thumbnails
    for (const VideoFormat &format : {small, deep, equal_distances}) {
        PretendedDecoder decoder(handle, pretence_);
        for (const FramePair &pair : clip_of(format, 5)) {
            expected.push_back(pair.reference);
            taken.push_back(value_of(decoder.take(*av_frame(pair.reference), format)));
        }
    }
    for (std::size_t n = 0; n < taken.size(); n++) {
        EXPECT_TRUE(taken[n].device() && same_frame(value_of(device.fetch(taken[n], 3)), expected[n])) << n;
        EXPECT_EQ(value_of(device.thumbnail(taken[n])).samples, make_thumbnail(expected[n]).samples) << n;
    }
}

TEST_F(DecodedByADevice, PicturesTellRangesAsWithSoftware) {
    WRITE_OR_SKIP(small, "libx264", "g=12,crf=20", AVCOL_RANGE_JPEG);
    VideoRequest asked = request();
    Scored found = on_the_device(asked, true), expected = in_software(asked);
    EXPECT_THAT(expected.pair_notes, SizeIs(1)); // one file says its range
    EXPECT_EQ(found.pair_notes, expected.pair_notes);
    EXPECT_GT(pretence_.fetched_luma, 0); // the stand-in's memory could be read as it is
}

TEST_F(DecodedByADevice, PartsOfVideosAreDecodedFromTheirKeyFramesOn) {
    WRITE_OR_SKIP(deep);
    FrameIndexes indexes([] { return false; });
    VideoRequest asked = request();
    asked.indexes = &indexes;
    for (const int first : {0, 1, 11, 12, 17, 30}) {
        asked.pair.first_pair = first;
        const Scored found = on_the_device(asked, true), expected = in_software(asked);
        ASSERT_TRUE(expected.end && found.end) << (found.end ? expected : found).end.error().message;
        EXPECT_THAT(expected.frames, SizeIs(frame_count - first));
        expect_equal(Outcome{found.frames, {}, {}}, Outcome{expected.frames, {}, {}});
        EXPECT_THAT(found.decoders.first, HasSubstr("pretended"));
        EXPECT_GT(pretence_.taken, 2 * (frame_count - first - 1)) << "from frame " << first;
        EXPECT_EQ(pretence_.attached, first == 0 ? 2 + 3 : 2); // both videos, and a comparison in three places
        pretence_.taken = pretence_.attached = 0;
    }
}

TEST_F(DecodedByADevice, WorkersOfPartsGiveTheScoresAndSmallPicturesOfSoftware) {
    WRITE_OR_SKIP(deep);
    const SessionOptions options = scored(on_device(format_));
    const ExecutionHandle execution = value_of(open_execution(options.execution));
    const auto device = pretended_on(execution);
    const PartPlace place{.execution = execution, .label = "here", .decoding = Decoding{device, true}};
    const Scored expected = in_software(request());
    bool compares = true; // the decoders: the first worker of all does
    for (const auto &workers : {std::pair{true, false}, {true, true}, {false, false}, {false, true}}) {
        const bool one_worker = workers.first, take_over = workers.second;
        FrameIndexes indexes([] { return false; }, FrameIndexes::FirstFrames::readers);
        VideoRequest asked = request();
        asked.indexes = &indexes;
        pretence_.attached = 0;
        auto opened_before = take_over ? value_of(open_videos(request_of_part(asked, 2, 0), {})).pairs : nullptr;
        const auto parts =
            value_of(PartedVideo::create(asked, format_, options.scoring, {place, place}, std::move(opened_before)));
        const auto plan = [&]() -> Result<PartPlan> {
            const auto index = TRY(indexes.get(asked.reference.path, {}));
            TRY(indexes.get(asked.distorted.path, {}));
            if (one_worker)
                return PartPlan{.frames = frame_count, .starts = std::vector<std::int64_t>()};
            return PartPlan{frame_count, {{14, 26}}, 4, 8};
        };
        Scored found;
        std::vector<Thumbnail> seen;
        found.end =
            parts->run(plan, {.seen = [&](const PairThumbnails &pair) { seen.push_back(pair.distorted); },
                              .scored = [&](FrameScores scores) { found.frames.push_back(std::move(scores)); }});
        ASSERT_TRUE(found.end) << found.end.error().message;
        expect_equal(Outcome{found.frames, {}, {}}, Outcome{expected.frames, {}, {}});
        EXPECT_THAT(parts->decoders().first, HasSubstr("pretended decoder"));
        ASSERT_THAT(seen, SizeIs(frame_count));
        for (std::size_t n = 0; n < seen.size(); n++)
            EXPECT_EQ(seen[n].samples, make_thumbnail(expected.watched[n]).samples) << n;
        const std::vector<PartReading> readings = parts->readings();
        EXPECT_EQ(readings[0].frames + readings[1].frames, frame_count);
        const int opened = readings[0].opened + readings[1].opened + (take_over ? 1 : 0);
        EXPECT_THAT(opened, AllOf(::testing::Ge(1), ::testing::Le(one_worker ? 1 : 2)));
        EXPECT_EQ(pretence_.attached, 2 * opened + (compares ? 3 : 0)) << "each worker's decoders stay, and are moved";
        compares = false;
    }
}

TEST_F(DecodedByADevice, VideosThatCannotBeDecodedSayWhy) {
    WRITE_OR_SKIP(small);
    VideoRequest asked = request();
    asked.distorted.path = folder_.file("ffv1.mkv");
    std::vector<AvFrame> pictures;
    for (const FramePair &pair : clip_of(small, frame_count))
        pictures.push_back(av_frame(pair.distorted));
    ASSERT_TRUE(write_video(asked.distorted.path, "matroska", "ffv1", pictures));
    EXPECT_THAT(
        on_the_device(asked, true).end.error().message,
        AllOf(HasSubstr("pretended decoder cannot decode "), HasSubstr("ffv1.mkv: only h264, hevc, vp9 and av1 "
                                                                       "are decoded by devices, and it is ffv1")));
    const Scored found = on_the_device(asked, false), expected = in_software(asked);
    expect_equal(Outcome{found.frames, {}, {}}, Outcome{expected.frames, {}, {}});
    EXPECT_THAT(found.notes, UnorderedElementsAre(HasSubstr("ffv1.mkv is decoded by the CPU: only h264")));
    EXPECT_THAT(found.decoders.first, HasSubstr("pretended"));
    EXPECT_THAT(found.decoders.second, IsEmpty());

    VideoRequest cropped = request();
    cropped.reference.crop = cropped.distorted.crop = Crop{40, 40, 2, 2};
    format_ = {40, 40};
    EXPECT_THAT(on_the_device(cropped, true).end.error().message, HasSubstr("its pictures are converted"));
    EXPECT_TRUE(on_the_device(cropped, false).end);
}

TEST_F(DecodedByADevice, OtherChromaFieldsAndFilmGrainAreLeftToSoftware) {
    const auto why = [this] { return on_the_device(request(), true).end.error().message; };
    WRITE_OR_SKIP({.width = 66, .height = 50, .chroma = Chroma::k444});
    EXPECT_THAT(why(), HasSubstr("only 4:2:0 of 8 or 10 bit is decoded by devices, and it is yuv444p"));
    WRITE_OR_SKIP({.width = 66, .height = 52}, "libx264", "flags=+ilme+ildct,preset=fast");
    EXPECT_THAT(why(), HasSubstr("it is interlaced"));
    WRITE_OR_SKIP({.width = 128, .height = 96}, "libsvtav1", "preset=12,svtav1-params=film-grain=10");
    EXPECT_THAT(why(), HasSubstr("it has film grain"));
}

TEST_F(DecodedByADevice, PacketsThatTheContainerCallsDamagedAreAnError) {
    WRITE_OR_SKIP(small, "libx264", "g=12,bf=2,crf=20", AVCOL_RANGE_UNSPECIFIED, "mpegts");
    ASSERT_TRUE(on_the_device(request(), true).end);
    std::string bytes = read_bytes(folder_.file("dis.mkv"));
    constexpr std::size_t packet_bytes = 188, video = 0x100; // a packet of the transport stream, and the video's number
    std::size_t at = bytes.size() / 2 / packet_bytes * packet_bytes;
    while ((static_cast<unsigned char>(bytes[at + 1]) & 0x1fU) != video >> 8 || bytes[at + 2] != 0)
        at += packet_bytes;
    bytes[at + 3] = static_cast<char>((bytes[at + 3] & 0xf0) | ((bytes[at + 3] + 5) & 0x0f)); // another count
    folder_.write("dis.mkv", bytes);
    EXPECT_TRUE(in_software(request()).end); // nothing is wrong but the count
    EXPECT_THAT(on_the_device(request(), true).end.error().message, HasSubstr("cannot decode frame "));
}

TEST_F(DecodedByADevice, CroppingThatLibavLeavesOutIsAnError) {
    WRITE_OR_SKIP(small);
    auto demuxer = value_of(LibavDemuxer::open(value_of(ByteReader::open(folder_.file("ref.mkv")))));
    value_of(demuxer->choose({}));
    const auto decoder = value_of(LibavDecoder::open(std::move(demuxer), {}));
    const AvFrame picture = value_of(decoder->next());
    EXPECT_TRUE(check_device_picture(*decoder, *picture, 7));
    picture->crop_top = 2;
    EXPECT_THAT(check_device_picture(*decoder, *picture, 7).error().message,
                AllOf(HasSubstr("frame 7 of "), HasSubstr("is cropped at the left or top")));
}

TEST(HardwareDecodingWish, SaysWhyItCannotBeHad) {
    std::vector<std::string> notes;
    const LogSink log = [&](Severity, std::string_view text) { notes.emplace_back(text); };
    const DeviceHandle device = value_of(Session::create(on_device(small))).device();
    EXPECT_FALSE(value_of(decoding_for(HardwareDecoding::none, device, log)).device);
    EXPECT_THAT(notes, IsEmpty());
    EXPECT_FALSE(value_of(decoding_for(HardwareDecoding::automatic, nullptr, log)).device);
    EXPECT_THAT(notes, UnorderedElementsAre("the CPU decodes both videos: the scores are computed on the CPU, not on "
                                            "a device that decodes"));
    EXPECT_THAT(decoding_for(HardwareDecoding::cuda, nullptr, log).error().message,
                HasSubstr("--hwaccel cuda cannot be had: the scores are computed on the CPU"));
    EXPECT_THAT(decoding_for(HardwareDecoding::cuda, device, log).error().message,
                HasSubstr("decoders of other libraries cannot use the queues of " + device->plugin().name()));
}

} // namespace
} // namespace isovmaf::decoding_test
