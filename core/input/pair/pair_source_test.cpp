// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/pair_source.hpp"

#include <atomic>
#include <new>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/pair/decode_thread.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::pair_source_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace testing;

constexpr VideoFormat small{.width = 16, .height = 10};

/// Frames out of memory; what follows them is up to `at_end`.
class ListSource final : public FrameSource {
  public:
    using Read = Result<std::optional<Frame>>;

    ListSource(std::string name, std::vector<Frame> frames, VideoFormat format = small)
        : info_{format, std::move(name), "list", "none", std::nullopt}, frames_(std::move(frames)) {}

    const SourceInfo &info() const override { return info_; }
    Read read() override {
        reads_++;
        if (next_ == frames_.size())
            return at_end ? at_end() : Read(std::nullopt);
        if (!times_.empty())
            frames_[next_].set_seconds(times_[next_]);
        return frames_[next_++];
    }
    bool can_go_to() const override { return true; }
    Result<bool> go_to(std::int64_t frame) override {
        next_ = std::min(static_cast<std::size_t>(frame), frames_.size());
        return next_ == static_cast<std::size_t>(frame);
    }
    std::string end_warning() const override { return next_ == frames_.size() ? warning : ""; }
    void cancel() override { cancelled = true; }

    void set_frame_count(std::int64_t count) { info_.frame_count = count; }
    void set_variable() { info_.timing.variable = true; }
    void set_times(Rational rate, std::vector<double> times) {
        info_.timing.average_rate = rate;
        times_ = std::move(times);
    }
    std::size_t reads() const { return reads_; }

    std::function<Read()> at_end;
    std::string warning; ///< of the end
    std::atomic<bool> cancelled = false;

  private:
    SourceInfo info_;
    std::vector<Frame> frames_;
    std::vector<double> times_;
    std::size_t next_ = 0;
    std::atomic<std::size_t> reads_ = 0;
};

std::unique_ptr<ListSource> list(std::string name, int count) {
    return std::make_unique<ListSource>(std::move(name), clip_frames(small, count));
}

struct Outcome {
    std::vector<FramePair> pairs;
    std::string error;
};

Outcome run(std::unique_ptr<FrameSource> reference, std::unique_ptr<FrameSource> distorted,
            const PairOptions &options = {}) {
    Outcome outcome;
    const auto source = PairSource::create(std::move(reference), std::move(distorted), options);
    if (!source)
        return {{}, source.error().message};
    for (;;) {
        auto pair = (*source)->read();
        if (!pair)
            outcome.error = pair.error().message;
        if (!pair || !*pair)
            break;
        outcome.pairs.push_back(**pair);
    }
    EXPECT_FALSE((*source)->read()->has_value());
    return outcome;
}

TEST(DecodeThread, FewerLargeFramesWait) {
    EXPECT_EQ(DecodeThread::frames_ahead(small), 3U);
    EXPECT_EQ(DecodeThread::frames_ahead({.width = 1920, .height = 1080, .bit_depth = 10}), 3U);
    EXPECT_EQ(DecodeThread::frames_ahead({.width = 3840, .height = 2160, .bit_depth = 10}), 2U);
    EXPECT_EQ(DecodeThread::frames_ahead({.width = 7680, .height = 4320, .bit_depth = 10}), 1U);
}

TEST(PairSource, PairsInOrderWithSkips) {
    const auto frames = clip_frames(small, 20);
    Warnings warnings;
    const auto outcome =
        run(list("a", 20), list("b", 18), {.skip_reference = 5, .skip_distorted = 3, .log = warnings.sink()});
    EXPECT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.pairs.size(), 15u);
    for (std::size_t i = 0; i < 15; i++) {
        EXPECT_TRUE(same_frame(outcome.pairs[i].reference, frames[i + 5])) << i;
        EXPECT_TRUE(same_frame(outcome.pairs[i].distorted, frames[i + 3])) << i;
    }
    EXPECT_THAT(warnings.taken(), IsEmpty());
}

TEST(PairSource, FrameCountEndsBothSilently) {
    Warnings warnings;
    const auto outcome = run(list("a", 9), list("b", 20),
                             {.skip_distorted = 2, .frame_count = 7, .strict = true, .log = warnings.sink()});
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.pairs.size(), 7u);
    EXPECT_THAT(warnings.taken(), IsEmpty());
    EXPECT_EQ(run(list("a", 3), list("b", 3), {.frame_count = 7}).pairs.size(), 3u);
}

TEST(PairSource, DifferentLengthsAreAWarningWithBothCounts) {
    Warnings warnings;
    EXPECT_EQ(run(list("a", 3), list("b", 9), {.log = warnings.sink()}).pairs.size(), 3u);
    auto known = list("b", 9);
    known->set_frame_count(9);
    EXPECT_EQ(run(list("a", 4), std::move(known), {.skip_distorted = 1, .log = warnings.sink()}).pairs.size(), 4u);
    EXPECT_EQ(run(list("a", 9), list("b", 5), {.frame_count = 8, .log = warnings.sink()}).pairs.size(), 5u);
    EXPECT_THAT(warnings.taken(),
                ElementsAre("reference a has 3 frames, distorted b has more than 3; the 3 frames that both have are "
                            "scored",
                            "reference a has 4 frames, distorted b has 8; the 4 frames that both have are scored",
                            "reference a has more than 5 frames, distorted b has 5; the 5 frames that both have are "
                            "scored"));
}

TEST(PairSource, DifferentLengthsAreAnErrorWhenStrict) {
    const auto outcome = run(list("a", 3), list("b", 2), {.strict = true});
    EXPECT_EQ(outcome.pairs.size(), 2u);
    EXPECT_EQ(outcome.error, "reference a has more than 2 frames, distorted b has 2, and strict scoring wants equal "
                             "lengths");
}

std::unique_ptr<ListSource> timed(std::string name, int rate, const std::vector<int> &times) {
    auto source = list(std::move(name), static_cast<int>(times.size()));
    std::vector<double> seconds;
    for (const int time : times)
        seconds.push_back(static_cast<double>(time) / rate);
    source->set_times({rate, 1}, seconds);
    return source;
}

TEST(PairSource, TimesThatDriftApartAreOneWarning) {
    Warnings warnings;
    const PairOptions options{.skip_reference = 1, .skip_distorted = 1, .log = warnings.sink()};
    EXPECT_EQ(run(timed("a", 25, {0, 1, 2, 3, 4, 5}), timed("b", 25, {2, 3, 4, 6, 7, 8}), options).pairs.size(), 5u);
    EXPECT_THAT(warnings.taken(),
                ElementsAre(HasSubstr("frame 3 of reference a is shown 0.080 s after its first frame, "
                                      "and frame 3 of distorted b, its partner, 0.120 s")));
    EXPECT_EQ(run(timed("a", 25, {0, 1, 2}), timed("b", 25, {0, 1, 3}), {.strict = true}).pairs.size(), 2u);
    EXPECT_THAT(run(timed("a", 25, {0, 1}), timed("b", 50, {0, 1}), {.strict = true}).error, IsEmpty());
}

/// A reader that begins with the pair `first` of videos with 12 and 10 frames, of which frame 7 was dropped.
std::unique_ptr<PairSource> reader_from(std::int64_t first) {
    auto reference = timed("a", 25, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    auto distorted = timed("b", 25, {0, 1, 2, 3, 4, 5, 6, 8, 9, 10});
    reference->set_frame_count(12);
    distorted->warning = "b was cut";
    return *PairSource::create(
        std::move(reference), std::move(distorted),
        {.skip_reference = 1, .skip_distorted = 1, .first_pair = first, .found = {{PairWarning::timing, "before"}}});
}

/// What a reader finds until the end.
std::vector<PairWarning> warnings_of(PairSource &source) {
    while (*source.read())
        ;
    return source.warnings();
}

std::vector<PairWarning> warnings_from(std::int64_t first) { return warnings_of(*reader_from(first)); }

TEST(PairSource, ReadersThatBeginLaterGiveTheSameWarnings) {
    const std::vector<PairWarning> all = warnings_from(0);
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0], (PairWarning{PairWarning::timing, "before"}));
    EXPECT_THAT(all[1].sentence, HasSubstr("frame 7 of reference a is shown 0.240 s after its first frame"));
    EXPECT_EQ(all[1].kind, PairWarning::dropped_frames);
    EXPECT_EQ(all[2], (PairWarning{PairWarning::cut_short, "b was cut"}));
    EXPECT_EQ(all[3], (PairWarning{PairWarning::lengths, "reference a has 11 frames, distorted b has 9; the 9 frames "
                                                         "that both have are scored"}));
    EXPECT_EQ(warnings_from(3), all);
    EXPECT_EQ(warnings_from(6), all);
    const std::vector<PairWarning> late = warnings_from(7); // the times have drifted apart before
    EXPECT_THAT(late[1].sentence, HasSubstr("frame 8 of reference a is shown 0.280 s after its first frame"));
    EXPECT_EQ(std::vector(late.begin() + 2, late.end()), std::vector(all.begin() + 2, all.end()));
}

TEST(PairSource, GoesOnFromAnotherPairAsAReaderThatBeganThere) {
    const auto frames = clip_frames(small, 12);
    for (const std::int64_t began : {0, 4}) {
        const auto source = reader_from(began);
        ASSERT_TRUE(source->read());
        for (const std::int64_t first : {7, 3, 8, 0}) {
            ASSERT_TRUE(source->go_to(first));
            const auto pair = source->read();
            ASSERT_TRUE(pair && *pair);
            EXPECT_TRUE(same_frame((*pair)->reference, frames[static_cast<std::size_t>(first + 1)]));
            EXPECT_TRUE(same_frame((*pair)->distorted, frames[static_cast<std::size_t>(first + 1)]));
            EXPECT_EQ(warnings_of(*source), warnings_from(first)) << "from " << first << " after " << began;
        }
        ASSERT_TRUE(source->go_to(9));
        EXPECT_THAT(source->read().error().message, HasSubstr("b has no frame left after the 10 that are skipped"));
    }
}

TEST(PairSource, AfterAMoveTheNumberOfPairsIsStillLimited) {
    const auto source = *PairSource::create(list("a", 9), list("b", 9), {.frame_count = 6});
    ASSERT_TRUE(source->read());
    ASSERT_TRUE(source->go_to(4));
    EXPECT_TRUE(*source->read() && *source->read());
    EXPECT_FALSE(*source->read());
}

TEST(PairSource, TheEndOfALongerVideoIsNotLookedAt) {
    auto longer = list("b", 5);
    longer->warning = "b was cut";
    const auto source = *PairSource::create(list("a", 4), std::move(longer), {});
    while (*source->read())
        ;
    ASSERT_EQ(source->warnings().size(), 1u);
    EXPECT_EQ(source->warnings()[0].kind, PairWarning::lengths);
}

TEST(PairSource, PairsByTimeAndListsFramesWithoutPartner) {
    const auto frames = clip_frames(small, 9);
    for (const SyncMode mode : {SyncMode::automatic, SyncMode::pts}) {
        const auto source = *PairSource::create(timed("a", 25, {0, 1, 2, 3}), timed("b", 50, {0, 1, 2, 3, 4, 5, 6, 7}),
                                                {.skip_distorted = 2, .frame_count = 2, .sync = {mode}});
        for (std::size_t n = 0; n < 2; n++) {
            const auto pair = source->read();
            ASSERT_TRUE(pair && *pair);
            EXPECT_TRUE(same_frame((*pair)->reference, frames[n]));
            EXPECT_TRUE(same_frame((*pair)->distorted, frames[2 + 2 * n]));
        }
        EXPECT_FALSE(source->read()->has_value());
        EXPECT_EQ(source->sync().mode, SyncMode::pts);
        EXPECT_DOUBLE_EQ(source->sync().tolerance_seconds, 0.011);
        EXPECT_THAT(source->sync().repeated, ElementsAre(3));
        EXPECT_THAT(source->sync().dropped, IsEmpty());
    }
}

TEST(PairSource, PairsRealFilesWithAGapInTheirTimes) {
    const TemporaryFolder folder;
    const auto frames = clip_frames({.width = 64, .height = 48}, 6);
    std::vector<AvFrame> whole, cut;
    for (std::size_t n = 0; n < frames.size(); n++) {
        whole.push_back(av_frame(frames[n]));
        if (n != 2 && n != 3)
            cut.push_back(av_frame(frames[n]));
    }
    const std::string a = folder.file("a.mkv"), b = folder.file("b.mkv");
    if (!write_videos(a, "matroska", "ffv1", {{.frames = &whole}}) ||
        !write_videos(b, "matroska", "ffv1", {{.frames = &cut, .times = {0, 1, 4, 5}}}))
        GTEST_SKIP() << "this libavcodec has no ffv1 encoder";
    const auto source = *PairSource::create(*open_source(a, {}), *open_source(b, {}), {.sync = {SyncMode::pts}});
    for (const std::size_t n : {0u, 1u, 4u, 5u}) {
        const auto pair = source->read();
        ASSERT_TRUE(pair && *pair) << n;
        EXPECT_TRUE(same_frame((*pair)->reference, frames[n]) && same_frame((*pair)->distorted, frames[n])) << n;
    }
    EXPECT_FALSE(source->read()->has_value());
    EXPECT_THAT(source->sync().dropped, ElementsAre(2, 3));
    EXPECT_THAT(source->sync().repeated, IsEmpty());

    Warnings warnings; // frame n with frame n: one warning about the gap, one about the lengths
    EXPECT_EQ(run(*open_source(a, {}), *open_source(b, {}), {.log = warnings.sink()}).pairs.size(), 4u);
    EXPECT_THAT(warnings.taken(), ElementsAre(HasSubstr("frame 2 of reference"), HasSubstr("frames that both have")));
}

TEST(PairSource, VideosOfDifferentDurationAreAWarningByTimeToo) {
    Warnings warnings;
    const PairOptions by_time{.sync = {SyncMode::pts}, .log = warnings.sink()};
    EXPECT_EQ(run(timed("a", 25, {0, 1, 2}), timed("b", 50, {0, 1, 2, 3, 4, 5}), by_time).pairs.size(), 3u);
    EXPECT_THAT(warnings.taken(), IsEmpty());
    EXPECT_EQ(run(timed("a", 25, {0, 1, 2}), timed("b", 25, {0, 1}), by_time).pairs.size(), 2u);
    EXPECT_THAT(warnings.taken(), ElementsAre(HasSubstr("reference a goes on for at least 0.040 s after the last")));
    EXPECT_THAT(run(timed("a", 25, {0, 1}), timed("b", 25, {7, 8}), {.sync = {SyncMode::pts_absolute}}).error,
                HasSubstr("no frame of b is shown within 0.021 s of a frame of a"));
    EXPECT_THAT(run(list("a", 1), list("b", 1), {.sync = {SyncMode::pts}}).error, HasSubstr("--sync-tolerance"));
}

/// Times 0 to `count` - 1, in frames.
std::vector<int> counted(int count) {
    std::vector<int> times;
    for (int n = 0; n < count; n++)
        times.push_back(n);
    return times;
}

TEST(PairSource, AVideoThatStopsEarlyIsSeenAtOtherRatesToo) {
    Warnings warnings;
    const PairOptions by_time{.sync = {SyncMode::automatic}, .log = warnings.sink()};
    for (const int rate : {24, 25, 50, 60, 120}) { // whole videos, and ends that a converter of rates rounds
        EXPECT_THAT(run(timed("a", 60, counted(60)), timed("b", rate, counted(rate)), by_time).error, IsEmpty());
        EXPECT_THAT(run(timed("a", rate, counted(rate)), timed("b", 60, counted(60)), by_time).error, IsEmpty());
    }
    run(timed("a", 60, counted(61)), timed("b", 24, counted(24)), by_time);
    run(timed("a", 60, counted(59)), timed("b", 24, counted(24)), by_time);
    EXPECT_THAT(warnings.taken(), IsEmpty());

    auto whole = timed("a", 60, counted(120));
    EXPECT_EQ(run(std::move(whole), timed("b", 24, counted(6)), by_time).pairs.size(), 6u);
    whole = timed("a", 60, counted(120));
    whole->set_frame_count(120);
    EXPECT_EQ(run(std::move(whole), timed("b", 24, counted(6)), by_time).pairs.size(), 6u);
    run(timed("a", 60, counted(15)), timed("b", 24, counted(48)), by_time);
    EXPECT_THAT(warnings.taken(),
                ElementsAre("reference a goes on for at least 0.058 s after the last frame of b; the 6 frames that "
                            "both have are scored",
                            "reference a goes on for about 1.775 s after the last frame of b; the 6 frames that both "
                            "have are scored",
                            HasSubstr("distorted b goes on for at least 0.058 s after the last frame of a")));
    EXPECT_THAT(
        run(timed("a", 60, counted(120)), timed("b", 24, counted(6)), {.sync = {SyncMode::automatic}, .strict = true})
            .error,
        HasSubstr("strict scoring wants equal lengths"));
}

TEST(PairSource, FramesOfVariableRatesThatLackAPartnerAreAWarning) {
    Warnings warnings;
    const auto varying = [](std::string name, const std::vector<int> &times) {
        auto source = timed(std::move(name), 25, times);
        source->set_variable();
        return source;
    };
    PairOptions options{.sync = {SyncMode::automatic}, .log = warnings.sink()};
    const std::vector<int> times{0, 1, 3, 7, 8, 10}, fewer{0, 1, 7, 8, 10};
    EXPECT_EQ(run(varying("a", times), varying("b", times), options).pairs.size(), 6u);
    EXPECT_THAT(warnings.taken(), IsEmpty());
    EXPECT_EQ(run(varying("a", times), varying("b", fewer), options).pairs.size(), 5u);
    EXPECT_EQ(run(varying("a", times), timed("b", 25, fewer), options).pairs.size(), 5u) << "rates that differ";
    EXPECT_THAT(
        warnings.taken(),
        ElementsAre("1 frame of reference a and 0 frames of distorted b have no partner within 0.021 s: frames seem to "
                    "be dropped or repeated; use --sync index if both videos hold the same frames"));
    options.strict = true;
    EXPECT_THAT(run(varying("a", times), varying("b", fewer), options).error, HasSubstr("have no partner"));
}

TEST(PairSource, NothingToScoreIsAnError) {
    EXPECT_EQ(run(list("a", 2), list("b", 0)).error, "b holds no whole frame");
    EXPECT_EQ(run(list("a", 2), list("b", 9), {.skip_reference = 2}).error,
              "a has no frame left after the 2 that are skipped");
}

TEST(PairSource, RefusesOptionsWithoutMeaning) {
    EXPECT_THAT(run(list("-", 1), list("-", 1)).error, HasSubstr("cannot both be standard input"));
    EXPECT_THAT(run(list("a", 1), list("b", 1), {.skip_reference = -1}).error, HasSubstr("cannot skip -1 frames"));
    EXPECT_THAT(run(list("a", 1), list("b", 1), {.frame_count = 0}).error, HasSubstr("has to be 1 or more, not 0"));
}

TEST(PairSource, NamesBothSidesThatDisagree) {
    const auto other = [](VideoFormat format) {
        return std::make_unique<ListSource>("b", clip_frames(format, 1), format);
    };
    constexpr const char *why = ": frames that are compared have one size, chroma and bit depth";
    EXPECT_EQ(run(list("-", 1), other({.width = 32, .height = 20})).error,
              "reference standard input is 16x10 4:2:0 8-bit, distorted b is 32x20 4:2:0 8-bit" + std::string(why));
    EXPECT_EQ(run(list("a", 1), other({16, 10, Chroma::k422, 10})).error,
              "reference a is 16x10 4:2:0 8-bit, distorted b is 16x10 4:2:2 10-bit" + std::string(why));
    EXPECT_THAT(run(list("a", 1), other({16, 10, Chroma::k400})).error, HasSubstr(why));
}

TEST(PairSource, EstimatesItsLength) {
    const auto expected = [](std::optional<std::int64_t> a, std::optional<std::int64_t> b, const PairOptions &options) {
        auto reference = list("a", 1), distorted = list("b", 1);
        if (a)
            reference->set_frame_count(*a);
        if (b)
            distorted->set_frame_count(*b);
        return (*PairSource::create(std::move(reference), std::move(distorted), options))->expected_pairs();
    };
    EXPECT_EQ(expected({}, {}, {}), std::nullopt);
    EXPECT_EQ(expected({}, {}, {.frame_count = 4}), 4);
    EXPECT_EQ(expected(10, {}, {}), 10);
    EXPECT_EQ(expected(10, 9, {.skip_reference = 3}), 7);
    EXPECT_EQ(expected(10, 9, {.skip_reference = 30}), 0);
    EXPECT_EQ(expected(10, 9, {.frame_count = 4}), 4);
}

TEST(PairSource, ReadsAFewFramesAhead) {
    auto reference = list("a", 50);
    ListSource *counted = reference.get();
    const auto source = *PairSource::create(std::move(reference), list("b", 50), {});
    ASSERT_TRUE(source->read()->has_value());
    usleep(20'000);
    EXPECT_LE(counted->reads(), 6u); // one given, four queued, one waiting for room
}

TEST(PairSource, ErrorsOfAThreadComeOut) {
    auto failing = list("b", 3);
    failing->at_end = []() -> ListSource::Read { return fail(ErrorCode::corrupt_data, "b broke"); };
    auto outcome = run(list("a", 3), std::move(failing));
    EXPECT_EQ(outcome.pairs.size(), 3u);
    EXPECT_EQ(outcome.error, "b broke");

    auto throwing = list("a", 1);
    throwing->at_end = []() -> ListSource::Read { throw std::bad_alloc(); };
    EXPECT_EQ(run(std::move(throwing), list("b", 3)).error, "not enough memory to read a");

    auto surprising = list("a", 1);
    surprising->at_end = []() -> ListSource::Read { throw std::runtime_error("surprise"); };
    EXPECT_EQ(run(std::move(surprising), list("b", 3)).error, "reading a failed: surprise");
}

TEST(PairSource, DestructionStopsThreadsThatWaitForRoomOrInput) {
    const TemporaryFolder folder;
    const std::string path = folder.file("pipe");
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    FILE *pipe = nullptr;
    const std::string one_frame = raw_bytes(clip_frames(small, 1));
    std::thread opener([&] {
        pipe = fopen(path.c_str(), "w");
        fwrite(one_frame.data(), 1, one_frame.size(), pipe);
        fflush(pipe);
    });
    auto stalled = open_source(path, {.stated = small});
    opener.join();
    ASSERT_TRUE(stalled) << stalled.error().message;
    {
        const auto source = *PairSource::create(*std::move(stalled), list("b", 50), {});
        EXPECT_TRUE(source->read()->has_value());
    }
    fclose(pipe);
}

} // namespace
} // namespace isovmaf::pair_source_test
