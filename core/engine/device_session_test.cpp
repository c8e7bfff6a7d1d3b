// SPDX-License-Identifier: BSD-2-Clause-Patent
// Whole sessions on the backend that ISOVMAF_TEST_PLUGIN names, against the CPU: every score in every bit.
#include <algorithm>
#include <thread>

#include <gmock/gmock.h>

#include "base/failure.hpp"
#include "device/frame_fetcher.hpp"
#include "device/testing/kept_device.hpp"
#include "engine/device_clip.hpp"
#include "engine/testing/extracted_words.hpp"
#include "engine/testing/packed_clip.hpp"
#include "engine/testing/session_scores.hpp"
#include "frame/crop.hpp"
#include "frame/frame_pool.hpp"
#include "frame/testing/add_samples.hpp"
#include "simd/level.hpp"

namespace isovmaf::device_session_test {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr VideoFormat small{.width = 37, .height = 35};

[[maybe_unused]] const KeptDevice &kept_device = KeptDevice::add();

TEST(DeviceSession, EveryFormatGivesTheCpusScores) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 10, 16}) {
            const VideoFormat format{.width = 67, .height = 49, .chroma = chroma, .bit_depth = bits};
            SessionOptions device = on_device(format), cpu = on_cpu(format);
            if (chroma == Chroma::k400)
                for (SessionOptions *options : {&device, &cpu})
                    options->scoring.features[0].options = {{"enable_chroma", "false"}};
            const auto clip = clip_of(format, 4);
            expect_equal(score(device, clip), score(cpu, clip));
        }
}

/// The frame in memory whose rows are aligned.
Frame aligned_copy(const Frame &frame) { return FramePool(frame.format()).copy(frame); }

TEST(DeviceSession, UnalignedPartsOfFramesGiveTheCpusScores) {
    for (const int bits : {8, 10})
        for (const int left : {1, 7, 12}) {
            std::vector<FramePair> parts, copies;
            const Crop crop{53, 41, left, 5};
            const VideoFormat whole{.width = 67, .height = 49, .chroma = Chroma::k444, .bit_depth = bits};
            for (const FramePair &pair : clip_of(whole, 3)) {
                parts.push_back({cropped(pair.reference, crop), cropped(pair.distorted, crop)});
                copies.push_back({aligned_copy(parts.back().reference), aligned_copy(parts.back().distorted)});
            }
            SessionOptions options = on_cpu(cropped(whole, crop));
            options.execution.cpu_level = "scalar";
            const auto expected = score(options, copies);
            for (const CpuLevel level : usable_cpu_levels()) {
                options.execution.cpu_level = cpu_level_name(level);
                expect_equal(score(options, parts), expected);
            }
            expect_equal(score(on_device(options.format), parts), expected);
        }
}

TEST(DeviceSession, TheNumberOfFramesInFlightNeverShows) {
    const auto clip = clip_of(small, 12);
    const auto expected = score(on_cpu(small), clip);
    const auto work = score(on_device(small), clip)->execution.work;
    for (const int frames : {1, 2, 5, 8, 16})
        for (const int threads : {1, 4}) {
            SessionOptions options = on_device(small);
            options.execution.frames_in_flight = frames;
            options.execution.threads = threads;
            const auto found = score(options, clip);
            expect_equal(found, expected);
            EXPECT_EQ(found->execution.queues, std::min(frames == 1 ? static_cast<int>(work.size()) : frames, 6))
                << "one frame is spread over all";
            for (std::size_t i = 0; i < work.size(); i++)
                EXPECT_EQ(found->execution.work[i].launches, work[i].launches) << frames << work[i].feature;
        }
}

TEST(DeviceSession, SubsamplingRunsOnlyWhatItNeeds) {
    SessionOptions device = on_device(small), cpu = on_cpu(small);
    device.scoring.subsample = cpu.scoring.subsample = 3;
    const auto clip = clip_of(small, 7);
    const auto found = score(device, clip);
    expect_equal(found, score(cpu, clip));
    const auto all = score(on_device(small), clip);
    for (std::size_t i = 0; i < found->execution.work.size(); i++)
        EXPECT_EQ(found->execution.work[i].launches < all->execution.work[i].launches,
                  found->execution.work[i].feature == "vif" || found->execution.work[i].feature == "adm")
            << found->execution.work[i].feature;
}

TEST(DeviceSession, SegmentsGiveTheCpusWords) {
    const auto clip = clip_of(small, 7);
    SessionOptions device = on_device(small), cpu = on_cpu(small);
    expect_words_of_segments(device, clip, extract_words(cpu, clip, 0, 7), 3);
    device.scoring.subsample = cpu.scoring.subsample = 3;
    expect_words_of_segments(device, clip, extract_words(cpu, clip, 0, 7), 1);
    device.scoring.models.clear();
    device.scoring.features = {{"vif", {}}}; // a segment without a scored frame launches no kernel
    expect_words_of_segments(device, clip, extract_words(device, clip, 0, 7), 2);
}

TEST(DeviceSession, SessionsOfOneHandleShareTheDeviceAndNothingElse) {
    const auto clip = clip_of(small, 6);
    const SessionOptions options = on_device(small);
    const ExecutionHandle execution = open_execution(options.execution).value();
    std::vector<Session> sessions;
    for (int i = 0; i < 2; i++)
        sessions.push_back(Session::create(small, options.scoring, execution).value());
    EXPECT_NE(sessions[0].device(), nullptr);
    EXPECT_EQ(sessions[0].device(), sessions[1].device());
    for (const FramePair &pair : clip) // the second one gets its frames the other way round
        ASSERT_TRUE(sessions[0].push(pair.reference, pair.distorted) &&
                    sessions[1].push(pair.distorted, pair.reference));
    std::vector<FramePair> swapped;
    for (const FramePair &pair : clip)
        swapped.push_back({pair.distorted, pair.reference});
    for (std::size_t i = 0; i < sessions.size(); i++) {
        ASSERT_TRUE(sessions[i].finish());
        const ScoreTable &scores = sessions[i].scores();
        expect_equal(Outcome{scores.frames, scores.aggregates, {}}, score(on_cpu(small), i == 0 ? clip : swapped));
    }
}

/// 10 bits in words whose third picture has samples above 1023 in one plane of one side.
std::vector<FramePair> clip_with_large_samples(const VideoFormat &format, bool distorted, int plane) {
    std::vector<FramePair> clip = clip_of(format, 5);
    Frame &frame = distorted ? clip[2].distorted : clip[2].reference;
    frame = painted_frame(format, default_poison, [&](int p, int x, int y) {
        return p == plane && x == format.plane_width(p) - 1 && y == 9 ? 1024U : 1023U;
    });
    return clip;
}

TEST(DeviceSession, SamplesAboveTheBitDepthAreRefusedWhereverAFeatureReadsThem) {
    constexpr VideoFormat deep{.width = 67, .height = 49, .bit_depth = 10};
    SessionOptions luma = on_device(deep), all = on_device(deep);
    luma.scoring.models.clear();
    luma.scoring.features = {{"motion", {}}};
    all.scoring.models.clear();
    all.scoring.features = {{"psnr", {}}};
    const auto push_all = [](Session &session, const std::vector<FramePair> &clip) {
        Result<void> done;
        for (const FramePair &pair : clip)
            if (done)
                done = session.push(pair.reference, pair.distorted);
        if (done)
            done = session.finish();
        return done ? std::string() : done.error().message;
    };
    const auto found = [&](const SessionOptions &options, bool distorted, int plane, bool on_host) {
        Session session = Session::create(options).value();
        const std::vector<FramePair> clip = clip_with_large_samples(deep, distorted, plane);
        return push_all(session, on_host ? clip : value_of(place_on_device(session.device(), clip)));
    };
    for (const bool on_host : {false, true}) {
        EXPECT_EQ(found(luma, false, 0, on_host),
                  "frame 2 of the reference has samples above 1023 in row 9 of plane 0, too large for "
                  "10 bit; check the bit depth of the video");
        EXPECT_THAT(found(luma, true, 0, on_host),
                    HasSubstr("frame 2 of the distorted video has samples above 1023 in row 9"));
        EXPECT_EQ(found(luma, true, 1, on_host), "") << "motion reads luma alone";
        EXPECT_THAT(found(all, false, 2, on_host),
                    HasSubstr("frame 2 of the reference has samples above 1023 in row 9 of plane 2"));
    }
}

TEST(DeviceSession, ManyFramesTakeNoMoreMemoryThanFew) {
    const auto few = score(on_device(small), clip_of(small, 20)), many = score(on_device(small), clip_of(small, 60));
    ASSERT_TRUE(few && many);
    EXPECT_GT(few->execution.memory.allocated_peak, 0u);
    EXPECT_EQ(few->execution.memory.allocated_peak, many->execution.memory.allocated_peak);
    EXPECT_EQ(few->execution.memory.pinned, many->execution.memory.pinned);
}

TEST(DeviceSession, ChromaIsUploadedOnlyWhenAFeatureReadsIt) {
    const auto pinned = [](const char *chroma) {
        SessionOptions options = on_device(small);
        options.scoring.features[0].options = {{"enable_chroma", chroma}};
        const auto outcome = score(options, clip_of(small, 1));
        return outcome ? outcome->execution.memory.pinned : 0;
    };
    EXPECT_GT(pinned("false"), 0u);
    EXPECT_LT(pinned("false"), pinned("true"));
}

TEST(DeviceSession, MotionOfASingleFrameNeedsNoLaunch) {
    SessionOptions device = on_device(small), cpu = on_cpu(small);
    for (SessionOptions *options : {&device, &cpu}) {
        options->scoring.models.clear();
        options->scoring.features = {{.name = "motion"}};
    }
    expect_equal(score(device, clip_of(small, 1)), score(cpu, clip_of(small, 1)));
}

TEST(DeviceSession, TellsWhereItRan) {
    SessionOptions options = on_device(small);
    options.execution.device_timing = true;
    const auto outcome = score(options, clip_of(small, 3));
    ASSERT_TRUE(outcome) << outcome.error().message;
    const Execution &execution = outcome->execution;
    EXPECT_EQ(execution.backend, options.execution.backend);
    EXPECT_EQ(execution.plugin, test_plugin().string());
    EXPECT_FALSE(execution.device.empty());
    EXPECT_FALSE(execution.build_id.empty());
    ASSERT_EQ(execution.work.size(), 4u);
    for (const FeatureWork &work : execution.work) {
        EXPECT_GT(work.launches, 0) << work.feature;
        EXPECT_GT(work.milliseconds, 0) << work.feature;
    }
}

TEST(DeviceSession, TwoAtOnceDoNotDisturbEachOther) {
    const auto clip = clip_of(small, 4);
    const auto expected = score(on_cpu(small), clip);
    std::array<std::optional<Result<Outcome>>, 2> found;
    {
        std::vector<std::jthread> threads;
        for (auto &outcome : found)
            threads.emplace_back([&outcome, &clip] { outcome = score(on_device(small), clip); });
    }
    for (const auto &outcome : found)
        expect_equal(*outcome, expected);
}

TEST(DeviceSession, FramesOnTheDeviceGiveTheSameScores) {
    const auto open = [] {
        return std::make_shared<const Device>(value_of(Device::open(value_of(Plugin::open(test_plugin())), 0)));
    };
    for (const int bits : {8, 12}) {
        VideoFormat format = small;
        format.bit_depth = bits;
        const auto clip = clip_of(format, 11);
        Result<Session> session = Session::create(on_device(format));
        ASSERT_TRUE(session) << session.error().message;
        // An address of one opened device is valid on another that is the same.
        for (const DeviceHandle &device : {session->device(), open()}) {
            const std::vector<FramePair> placed = place_on_device(device, clip).value();
            Session other = value_of(Session::create(on_device(format)));
            expect_equal(score(device == session->device() ? *session : other, read_clip(placed)),
                         score(on_cpu(format), clip));
            for (const auto &[reference, distorted] : placed)
                EXPECT_EQ(reference.owner().use_count() + distorted.owner().use_count(), 2) << "a frame is still held";
        }
    }
}

/// Pairs of which the reference, the distorted picture, or both are not plain.
std::vector<std::vector<FramePair>> mixtures(const std::vector<FramePair> &plain,
                                             const std::vector<FramePair> &packed) {
    std::vector<std::vector<FramePair>> mixed{packed, packed, packed};
    for (std::size_t n = 0; n < plain.size(); n++) {
        mixed[1][n].reference = plain[n].reference;
        mixed[2][n].distorted = plain[n].distorted;
    }
    return mixed;
}

TEST(DeviceSession, FramesThatAreNotPlainGiveTheSameScores) {
    for (const auto &[chroma, bits] :
         {std::pair{Chroma::k420, 8}, {Chroma::k420, 10}, {Chroma::k422, 12}, {Chroma::k444, 16}}) {
        const VideoFormat format{.width = 37, .height = 35, .chroma = chroma, .bit_depth = bits};
        const auto clip = clip_of(format, 5);
        const auto expected = score(on_cpu(format), clip);
        const Session opened = value_of(Session::create(on_device(format)));
        const std::vector<FramePair> placed = place_packed(opened.device(), clip);
        std::vector<FramePair> on_host;
        for (const FramePair &pair : clip) {
            const auto frame = [&](const Frame &plain) {
                const auto image = std::make_shared<const PackedImage>(plain);
                return image->frame(format, image);
            };
            on_host.push_back({frame(pair.reference), frame(pair.distorted)});
        }
        for (const auto &packed : {placed, on_host})
            for (const auto &pairs : mixtures(clip, packed))
                expect_equal(score(on_device(format), pairs), expected);
        expect_equal(score(on_cpu(format), on_host), expected);
    }
}

void expect_same_samples(const Frame &found, const Frame &expected) {
    Sha256 of_found, of_expected;
    add_samples(of_found, found);
    add_samples(of_expected, expected);
    EXPECT_EQ(std::move(of_found).hex(), std::move(of_expected).hex());
}

TEST(FrameFetcher, CopiesAFrameAgainForMorePlanesOrAnotherOwner) {
    const VideoFormat format{.width = 37, .height = 35, .chroma = Chroma::k420, .bit_depth = 10};
    const auto clip = clip_of(format, 1);
    const Session session = value_of(Session::create(on_device(format)));
    const std::vector<FramePair> placed = place_packed(session.device(), clip);
    const Frame &frame = placed[0].distorted;
    FrameFetcher fetcher({session.device()}, format);
    const Frame luma = fetcher.fetch(frame, 1);
    EXPECT_EQ(luma.plane(0).row<std::uint16_t>(34)[36], clip[0].distorted.plane(0).row<std::uint16_t>(34)[36]);
    for (int again = 0; again < 2; again++)
        expect_same_samples(fetcher.fetch(frame, 3), clip[0].distorted);
    EXPECT_EQ(fetcher.count(), 2);
    const Frame refilled = Frame::on_device(
        session.device(), format, std::make_shared<int>(), {frame.address(0), frame.address(1), frame.address(2)},
        {static_cast<std::uint64_t>(frame.stride_bytes(0)), static_cast<std::uint64_t>(frame.stride_bytes(1)),
         static_cast<std::uint64_t>(frame.stride_bytes(2))},
        {frame.samples(0), frame.samples(1), frame.samples(2)});
    expect_same_samples(fetcher.fetch(refilled, 3), clip[0].distorted);
    EXPECT_EQ(fetcher.count(), 3);
}

TEST(DeviceSession, WrongDeviceFramesAreRefused) {
    Result<Session> session = Session::create(on_device(small));
    ASSERT_TRUE(session) << session.error().message;
    const auto refusal = [](Session &on, const Frame &frame) { return on.push(frame, frame).error(); };
    const auto frame = [&](std::uint64_t address, std::uint64_t stride, std::shared_ptr<const void> owner) {
        return Frame::on_device(session->device(), small, std::move(owner), {address, address, address},
                                {stride, stride, stride});
    };
    const auto owner = std::make_shared<int>();
    EXPECT_EQ(refusal(*session, frame(0, 4096, owner)).code, ErrorCode::invalid_argument);
    EXPECT_EQ(refusal(*session, frame(4096, 1, owner)).code, ErrorCode::invalid_argument);
    EXPECT_THAT(refusal(*session, frame(4096, 4096, nullptr)).message, HasSubstr("needs an owner"));
    Result<Session> cpu = Session::create(on_cpu(small));
    const Error on_cpu_refusal = refusal(*cpu, frame(4096, 4096, owner));
    EXPECT_EQ(on_cpu_refusal.code, ErrorCode::unsupported);
    EXPECT_THAT(on_cpu_refusal.message, HasSubstr(session->execution().device));
}

} // namespace
} // namespace isovmaf::device_session_test
