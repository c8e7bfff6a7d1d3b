// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/lockstep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diff/testing/pictures_sample.hpp"

namespace isovmaf::diff::lockstep_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const VideoFormat format{.width = 35, .height = 33};

/// Everything that a run hands out.
struct Seen {
    int started = 0;
    std::vector<std::string> names, sources;
    std::vector<FrameOnSides> frames;
    std::vector<std::vector<EndOfSide>> ends;
    std::optional<SideFailure> failure;
};

bool never(const Seen &) { return false; }

Seen run(const std::vector<Side> &sides, const SessionOptions &options, const Pictures &pictures,
         const std::function<bool(const Seen &)> &stop = never) {
    Seen seen;
    seen.failure = run_lockstep(sides, options, pictures,
                                {.started =
                                     [&](const Session &session) {
                                         EXPECT_THAT(seen.frames, IsEmpty());
                                         seen.started++;
                                         seen.names = session.score_names();
                                         seen.sources = session.score_sources();
                                     },
                                 .frame = [&](const FrameOnSides &frame) { seen.frames.push_back(frame); },
                                 .ended = [&](const std::vector<EndOfSide> &ends) { seen.ends.push_back(ends); },
                                 .stop = [&] { return stop(seen); }});
    return seen;
}

const std::vector<Side> both{{"cpu-ref", "cpu-ref"}, {"cpu", "cpu"}};

/// A feature that looks back, and one with an aggregate.
SessionOptions scoring() {
    SessionOptions options;
    options.scoring.features = {{"motion", {}}, {"psnr", {{"enable_apsnr", "true"}}}};
    return options;
}

/// Frames up to `good`, then a failure.
Pictures broken_after(std::int64_t good) {
    Pictures pictures = sample_pictures(format, good);
    pictures.open = [open = pictures.open]() -> Result<PairStream> {
        return [stream = open().value()]() -> Result<std::optional<FramePair>> {
            Result<std::optional<FramePair>> pair = stream();
            if (!*pair)
                return fail(ErrorCode::io, "the disk is gone");
            return pair;
        };
    };
    return pictures;
}

TEST(Lockstep, HandsOutEveryFrameOfAllSidesInOrder) {
    const Seen seen = run(both, scoring(), sample_pictures(format, 7));
    EXPECT_FALSE(seen.failure);
    EXPECT_EQ(seen.started, 1);
    EXPECT_THAT(seen.names, ElementsAre("VMAF_integer_feature_motion_sad_score", "integer_motion2", "integer_motion3",
                                        "psnr_y", "psnr_cb", "psnr_cr"));
    EXPECT_THAT(seen.sources, ElementsAre("motion", "motion", "motion", "psnr", "psnr", "psnr"));
    ASSERT_THAT(seen.frames, SizeIs(7));
    for (std::size_t n = 0; n < seen.frames.size(); n++) {
        ASSERT_THAT(seen.frames[n], SizeIs(2));
        for (const FrameScores &side : seen.frames[n]) {
            EXPECT_EQ(side.frame, static_cast<std::int64_t>(n));
            EXPECT_THAT(side.scores, SizeIs(6));
            ASSERT_THAT(side.words, SizeIs(2)) << "the words behind the scores";
            EXPECT_EQ(side.words[1].feature, "psnr");
            EXPECT_THAT(side.words[1].words, SizeIs(3));
        }
        EXPECT_EQ(seen.frames[n][0].scores, seen.frames[n][1].scores);
    }
    EXPECT_NE(seen.frames[1][0].words[1].words, seen.frames[2][0].words[1].words) << "the pictures move";
}

TEST(Lockstep, EndsWithWhatEverySideDid) {
    const Seen seen = run(both, scoring(), sample_pictures(format, 3));
    ASSERT_THAT(seen.ends, SizeIs(1));
    ASSERT_THAT(seen.ends[0], SizeIs(2));
    EXPECT_EQ(seen.ends[0][0].execution.backend, "cpu-ref");
    EXPECT_EQ(seen.ends[0][1].execution.backend, "cpu");
    for (const EndOfSide &end : seen.ends[0]) {
        ASSERT_THAT(end.aggregates, SizeIs(3));
        EXPECT_EQ(end.aggregates[0].first, "apsnr_y");
    }
    EXPECT_EQ(seen.ends[0][0].aggregates, seen.ends[0][1].aggregates);
}

TEST(Lockstep, TheFormatIsThatOfThePictures) {
    SessionOptions options = scoring();
    options.format = {.width = 999, .height = 1};
    EXPECT_THAT(run(both, options, sample_pictures(format, 2)).frames, SizeIs(2));
    const Pictures part = reduce(sample_pictures(format, 5), {.skip = 1, .count = 3, .crop = Crop{9, 8, 2, 4}}).value();
    const Seen seen = run(both, options, part);
    EXPECT_FALSE(seen.failure);
    EXPECT_THAT(seen.frames, SizeIs(3));
}

TEST(Lockstep, StopsBetweenFramesAndScoresWhatWasRead) {
    int asked = 0;
    const Seen seen = run(both, scoring(), sample_pictures(format, 1000), [&](const Seen &) { return ++asked > 4; });
    EXPECT_FALSE(seen.failure);
    EXPECT_EQ(asked, 5);
    EXPECT_THAT(seen.frames, SizeIs(4));
    EXPECT_THAT(seen.ends, SizeIs(1));
}

TEST(Lockstep, ResultsComeWhilePicturesAreRead) {
    std::int64_t read = 0;
    Pictures pictures = sample_pictures(format, 400);
    pictures.open = [&read, open = pictures.open]() -> Result<PairStream> {
        return [&read, stream = open().value()] {
            read++;
            return stream();
        };
    };
    std::size_t most_waiting = 0;
    run(both, scoring(), pictures, [&](const Seen &seen) {
        most_waiting = std::max(most_waiting, static_cast<std::size_t>(read) - seen.frames.size());
        return false;
    });
    EXPECT_LT(most_waiting, 200U) << "memory must not grow with the video";
}

TEST(Lockstep, NoPicturesAreNoFrames) {
    const Seen seen = run(both, scoring(), sample_pictures(format, 0));
    EXPECT_FALSE(seen.failure);
    EXPECT_EQ(seen.started, 1);
    EXPECT_THAT(seen.frames, IsEmpty());
    EXPECT_THAT(seen.ends, SizeIs(1));
}

TEST(Lockstep, PicturesThatDoNotOpenAreNoSidesFault) {
    Pictures pictures = sample_pictures(format, 3);
    pictures.open = []() -> Result<PairStream> { return fail(ErrorCode::not_found, "no such file"); };
    const Seen seen = run(both, scoring(), pictures);
    ASSERT_TRUE(seen.failure);
    EXPECT_EQ(seen.failure->side, "");
    EXPECT_EQ(seen.failure->error.message, "no such file");
    EXPECT_EQ(seen.started, 0);
}

TEST(Lockstep, AReadThatFailsEndsTheRun) {
    for (const std::int64_t good : {0, 1, 5}) {
        const Seen seen = run(both, scoring(), broken_after(good));
        ASSERT_TRUE(seen.failure);
        EXPECT_EQ(seen.failure->side, "");
        EXPECT_EQ(seen.failure->error.message, "the disk is gone");
        EXPECT_THAT(seen.ends, IsEmpty());
        EXPECT_LE(seen.frames.size(), static_cast<std::size_t>(good));
    }
}

TEST(Lockstep, ASideThatCannotBeOpenedIsNamed) {
    SessionOptions options = scoring();
    options.scoring.features.push_back({"sharpness", {}});
    Seen seen = run(both, options, sample_pictures(format, 3));
    ASSERT_TRUE(seen.failure);
    EXPECT_EQ(seen.failure->side, "cpu-ref");
    EXPECT_THAT(seen.failure->error.message, HasSubstr("sharpness"));
    EXPECT_EQ(seen.started, 0);

    seen = run({both[0], {"vulkan:3", "vulkan", {3}}}, scoring(), sample_pictures(format, 3));
    ASSERT_TRUE(seen.failure);
    EXPECT_EQ(seen.failure->side, "vulkan:3");
    EXPECT_THAT(seen.failure->error.message, HasSubstr("vulkan"));
    EXPECT_EQ(seen.started, 0);
}

} // namespace
} // namespace isovmaf::diff::lockstep_test
