// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sessions whose frames are dealt to several devices of the backend that ISOVMAF_TEST_PLUGIN names, as far as it has
// several: every bit is that of the CPU.
#include <gmock/gmock.h>

#include "base/failure.hpp"
#include "engine/device_clip.hpp"
#include "engine/extraction.hpp"
#include "engine/testing/external_pool.hpp"
#include "engine/testing/extracted_words.hpp"
#include "engine/testing/session_scores.hpp"
#include "frame/frame_pool.hpp"

namespace isovmaf::dealt_frames_test {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr VideoFormat format{.width = 37, .height = 35};
constexpr int frames = 19;

int device_count() {
    return std::min(3, static_cast<int>(value_of(value_of(Plugin::open(test_plugin()))->probe()).device_count));
}

/// The first `devices` devices of the backend.
SessionOptions on_devices(int devices, int frames_in_flight = 0) {
    SessionOptions options = on_device(format);
    for (int i = 0; i < devices; i++)
        options.execution.devices.push_back(i);
    options.execution.frames_in_flight = frames_in_flight;
    return options;
}

/// The tests below are about several devices, which `SKIP_UNLESS_SEVERAL` asks for.
#define SKIP_UNLESS_SEVERAL                                                                                            \
    if (device_count() < 2)                                                                                            \
    GTEST_SKIP() << "the backend has one device"

TEST(DealtFrames, GiveTheCpusScoresOnAnyNumberOfDevices) {
    const auto clip = clip_of(format, frames);
    const auto expected = score(on_cpu(format), clip);
    for (int devices = 1; devices <= device_count(); devices++)
        for (const int frames_in_flight : {0, 1, 2, 5})
            expect_equal(score(on_devices(devices, frames_in_flight), clip), expected);
}

TEST(DealtFrames, OfShortVideosGiveTheCpusScores) {
    for (const int length : {1, 2, 3}) {
        const auto clip = clip_of(format, length);
        expect_equal(score(on_devices(device_count(), 1), clip), score(on_cpu(format), clip));
    }
}

TEST(DealtFrames, AreSubsampledAsOnTheCpu) {
    const auto clip = clip_of(format, frames);
    SessionOptions dealt = on_devices(device_count(), 2), cpu = on_cpu(format);
    dealt.scoring.subsample = cpu.scoring.subsample = 3;
    expect_equal(score(dealt, clip), score(cpu, clip));
}

TEST(DealtFrames, OfSegmentsGiveTheCpusWords) {
    const auto clip = clip_of(format, 9);
    const WordsByFrame whole = extract_words(on_cpu(format), clip, 0, 9);
    expect_words_of_segments(on_devices(device_count(), 1), clip, whole, 4);
    expect_words_of_segments(on_devices(device_count(), 4), clip, whole, 5);
}

/// Encodes that end one after the other.
TEST(DealtFrames, OfSeveralEncodesGiveTheCpusWords) {
    const auto clip = clip_of(format, frames);
    const auto words_of = [&](const SessionOptions &options) {
        SegmentExtraction segment = value_of(segment_of(options, 0, 3));
        std::vector<decltype(encode_words({}))> files;
        constexpr std::array<std::size_t, 2> ends{8, 15};
        for (std::size_t n = 0; n < clip.size(); n++) {
            std::vector<Frame> distorted{clip[n].distorted, clip[clip.size() - 1 - n].distorted, clip[n].reference};
            for (std::size_t m = 0; m < ends.size(); m++) {
                if (n == ends[m])
                    files.push_back(encode_words(value_of(segment.finish(true, m))));
                if (n >= ends[m])
                    distorted[m] = {};
            }
            EXPECT_TRUE(segment.extraction().push(clip[n].reference, distorted));
        }
        files.push_back(encode_words(value_of(segment.finish(true, 2))));
        return files;
    };
    const auto expected = words_of(on_cpu(format));
    for (const int frames_in_flight : {0, 1, 4, 7})
        EXPECT_EQ(words_of(on_devices(device_count(), frames_in_flight)), expected) << frames_in_flight;
}

/// An extraction that begins another video has nothing of the one before.
TEST(DealtFrames, OfTheNextVideoBeginAnew) {
    const auto clip = clip_of(format, frames);
    const SessionOptions options = on_devices(device_count(), 2);
    SegmentExtraction segment = value_of(segment_of(options, 0));
    std::vector<decltype(encode_words({}))> files;
    for (const int length : {7, 4, 4}) {
        for (std::size_t n = 0; n < static_cast<std::size_t>(length); n++)
            EXPECT_TRUE(segment.extraction().push(clip[n]));
        files.push_back(encode_words(value_of(segment.finish(true))));
        EXPECT_TRUE(segment.restart(0));
    }
    EXPECT_EQ(files[1], files[2]);
}

TEST(DealtFrames, RunOnEveryDeviceAndSaySo) {
    SKIP_UNLESS_SEVERAL;
    const auto clip = clip_of(format, frames);
    const Execution one = score(on_devices(1), clip)->execution, two = score(on_devices(2), clip)->execution;
    EXPECT_EQ(two.device, one.device + ", " + one.device);
    EXPECT_EQ(two.arch, one.arch);
    EXPECT_EQ(two.queues, 2 * one.queues);
    EXPECT_GT(two.frames_in_flight, one.frames_in_flight);
    EXPECT_THAT(two.reason, HasSubstr("2 devices of"));
    for (std::size_t i = 0; i < one.work.size(); i++)
        EXPECT_EQ(two.work[i].launches, one.work[i].launches) << "kernels run on every frame once";
    SessionOptions all = on_devices(0);
    all.execution.all_devices = true;
    EXPECT_EQ(value_of(Session::create(all)).devices().size(),
              value_of(value_of(Plugin::open(test_plugin()))->probe()).device_count);
}

TEST(DealtFrames, InMemoryOfAnyDeviceAreScoredThere) {
    SKIP_UNLESS_SEVERAL;
    const auto clip = clip_of(format, frames);
    for (const std::size_t length : {1U, 2U, 7U}) {
        Session session = value_of(Session::create(on_devices(device_count(), 4)));
        std::vector<FramePair> placed;
        for (std::size_t n = 0; n < clip.size(); n++) { // the first, the next one, ..., and host memory
            const std::size_t place = n / length % (session.devices().size() + 1);
            placed.push_back(place == session.devices().size()
                                 ? clip[n]
                                 : value_of(place_on_device(session.devices()[place], {clip[n]})).front());
        }
        const auto found = score(session, read_clip(placed));
        expect_equal(found, score(on_cpu(format), clip));
        EXPECT_GT(found->execution.fetched, 0) << "devices get earlier frames from each other";
        EXPECT_LE(found->execution.fetched, 2 * (frames / static_cast<int>(length))) << "and no others";
        EXPECT_THAT(found->execution.notices.back(), HasSubstr("memory of one device were copied to the host"));
        for (const auto &[reference, distorted] : placed) {
            if (reference.device()) {
                EXPECT_EQ(reference.owner().use_count() + distorted.owner().use_count(), 2) << "a frame is still held";
            }
        }
    }
}

TEST(DealtFrames, AreHeldNoLongerThanTheSessionSays) {
    const auto clip = clip_of(format, frames);
    for (const auto &[count, frames_in_flight] : {std::pair(1, 2), {2, 1}, {2, 4}, {3, 1}, {3, 2}}) {
        Session session = value_of(Session::create(on_devices(std::min(count, device_count()), frames_in_flight)));
        const std::vector<DeviceHandle> devices = session.devices();
        std::vector<FramePair> placed;
        for (std::size_t n = 0; n < clip.size(); n++) {
            placed.push_back(value_of(place_on_device(devices[n / 3 % devices.size()], {clip[n]})).front());
            EXPECT_TRUE(session.push(placed[n].reference, placed[n].distorted));
            const auto is_held = [](const FramePair &pair) { return pair.reference.owner().use_count() > 1; };
            EXPECT_LE(static_cast<std::size_t>(std::ranges::count_if(placed, is_held)), session.most_frames_held());
        }
        EXPECT_TRUE(session.finish());
    }
}

TEST(DealtFrames, WhosePicturesLieOnTwoDevicesAreRefused) {
    SKIP_UNLESS_SEVERAL;
    const auto clip = clip_of(format, 3);
    Session session = value_of(Session::create(on_devices(2)));
    const auto first = value_of(place_on_device(session.devices()[0], clip)),
               second = value_of(place_on_device(session.devices()[1], clip));
    const Result<void> pushed = session.push(first[0].reference, second[0].distorted);
    ASSERT_FALSE(pushed);
    EXPECT_EQ(pushed.error().code, ErrorCode::mismatch);
    EXPECT_THAT(pushed.error().message, AllOf(HasSubstr(":0"), HasSubstr(":1"), HasSubstr("give both")));
    EXPECT_TRUE(session.push(second[0].reference, second[0].distorted)) << "the session goes on";
    Session of_one = value_of(Session::create(on_devices(1)));
    EXPECT_THAT(of_one.push(second[0].reference, second[0].distorted).error().message, HasSubstr("lies in memory of"));
}

TEST(DealtFrames, OfImportedMemoryLieOnTheDeviceThatIsNamed) {
    SKIP_UNLESS_SEVERAL;
    Session session = value_of(Session::create(on_devices(2)));
    const DeviceHandle other = value_of(Session::create(on_devices(1))).device();
    EXPECT_EQ(session.import_memory({}, other).error().code, ErrorCode::mismatch) << "opened by another session";
    for (const DeviceHandle &device : session.devices())
        EXPECT_NE(session.import_memory({}, device).error().code, ErrorCode::mismatch) << "there is no descriptor";
}

/// All devices copy from it, and no thread does, unless kernels read pictures in place.
TEST(DealtFrames, InPinnedMemoryOfOneDeviceGiveTheSameScores) {
    const auto clip = clip_of(format, frames);
    const ExecutionHandle execution = value_of(open_execution(on_devices(device_count(), 2).execution));
    Session session = value_of(Session::create(format, on_cpu(format).scoring, execution));
    FramePool pool(format, ChromaEdge::absent, session.planes_read(), session.frame_memory());
    std::vector<FramePair> pinned;
    for (const FramePair &pair : clip)
        pinned.push_back(
            {pool.copy(pair.reference, session.planes_read()), pool.copy(pair.distorted, session.planes_read())});
    expect_equal(score(session, read_clip(pinned)), score(on_cpu(format), clip));
    const Device &other = *session.devices().back();
    if (!other.host_pictures().in_place && other.reads_uploads_of(*session.device())) {
        EXPECT_EQ(execution->times()->staging.get(), 0);
    }
}

TEST(DealtFrames, HaveToLaunchKernelsOnEveryDevice) {
    SKIP_UNLESS_SEVERAL;
    const SessionOptions options = on_devices(2);
    const EnginePlan plan = plan_of(options);
    WordCollector collector;
    OpenedScheduler opened = scheduler_for(options, plan);
    GpuScheduler &second = *opened.gpus[1];
    Extraction extraction(std::move(opened), plan, 1, {&collector});
    for (const FramePair &pair : clip_of(format, frames))
        EXPECT_TRUE(extraction.push(pair));
    EXPECT_TRUE(extraction.drain());
    second.reset_work();
    EXPECT_EQ(extraction.finish().error().code, ErrorCode::not_executed);
}

/// A feature on the CPU beside the devices, and features whose kernels may leave frames to the CPU.
TEST(DealtFrames, ThatTheCpuReadsTooGiveTheSameWords) {
    const auto clip = clip_of(format, frames);
    SessionOptions dealt = on_devices(device_count(), 3), cpu = on_cpu(format);
    dealt.execution.backend += ",cpu";
    for (SessionOptions *options : {&dealt, &cpu})
        for (const char *name : {"psnr_hvs", "float_ssim", "ciede"})
            options->scoring.features.push_back({.name = name});
    const WordsByFrame expected = extract_words(cpu, clip, 0, frames);
    EnginePlan plan = plan_of(dealt);
    plan.features[0].plan.gpu.reset();
    for (const bool on_device : {false, true}) {
        WordCollector collector;
        Extraction extraction = extraction_for(dealt, plan, collector);
        const std::vector<DeviceHandle> devices = extraction.devices();
        for (std::size_t n = 0; n < clip.size(); n++)
            EXPECT_TRUE(extraction.push(
                on_device ? value_of(place_on_device(devices[n / 2 % devices.size()], {clip[n]})).front() : clip[n]));
        EXPECT_TRUE(extraction.finish());
        EXPECT_EQ(collector.by_frame, expected) << on_device;
    }
}

} // namespace
} // namespace isovmaf::dealt_frames_test
