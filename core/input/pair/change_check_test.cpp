// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/pair/change_check.hpp"

#include <map>
#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/convert/converted_source.hpp"
#include "input/convert/turned_source.hpp"
#include "input/pair/shared_source.hpp"
#include "input/testing/clip_files.hpp"

namespace isovmaf::change_check_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace testing;

constexpr VideoFormat small{.width = 16, .height = 10};
constexpr int length = 8; ///< frames

/// What frames say from some number on, until the next number.
using Colours = std::map<int, ColourDescription>;

const ColourDescription usual{.range = "limited",
                              .matrix = "bt709",
                              .primaries = "bt709",
                              .transfer = "bt709",
                              .chroma_location = "left",
                              .sample_aspect_ratio = Rational{1, 1},
                              .field_order = "progressive"};

template <class Change>
ColourDescription changed(const Change &change) {
    ColourDescription colour = usual;
    change(colour);
    return colour;
}

const ColourDescription full = changed([](ColourDescription &colour) { colour.range = "full"; });
const ColourDescription fields = changed([](ColourDescription &colour) { colour.field_order = "top field first"; });
const ColourDescription pq = changed([](ColourDescription &colour) { colour.transfer = "smpte2084"; });

/// A video whose frames say something else about their colours than it began with.
class ChangingSource final : public FrameSource {
  public:
    ChangingSource(std::string name, const Colours &colours, double rate = 25, ColourDescription began = usual)
        : info_{small, std::move(name), "list", "none"}, frames_(clip_frames(small, length)), rate_(rate) {
        info_.timing.average_rate = Rational{static_cast<std::int64_t>(rate), 1};
        info_.colour = std::move(began);
        for (const auto &[frame, colour] : colours)
            changes_[frame] = colour == info_.colour ? nullptr : std::make_shared<ColourChange>(ColourChange{colour});
    }

    const SourceInfo &info() const override { return info_; }
    Result<std::optional<Frame>> read() override {
        if (next_ == length)
            return std::nullopt;
        if (const auto found = changes_.upper_bound(next_); found != changes_.begin())
            change_ = std::prev(found)->second;
        Frame frame = frames_[static_cast<std::size_t>(next_)];
        frame.set_seconds(next_++ / rate_);
        return frame;
    }
    ColourChangeHandle change() const override { return change_; }
    bool can_go_to() const override { return true; }
    Result<bool> go_to(std::int64_t frame) override {
        next_ = static_cast<int>(frame);
        change_ = nullptr;
        return true;
    }
    void cancel() override {}

  private:
    SourceInfo info_;
    std::vector<Frame> frames_;
    double rate_;
    std::map<int, ColourChangeHandle> changes_;
    ColourChangeHandle change_;
    int next_ = 0;
};

std::unique_ptr<FrameSource> video(const char *name, const Colours &colours = {}, double rate = 25) {
    return std::make_unique<ChangingSource>(name, colours, rate);
}

/// What a reader of two videos finds.
struct Outcome {
    std::vector<std::string> said;
    std::vector<PairWarning> warnings, notes;
    std::int64_t pairs = 0;
    std::string error;
};

struct Wish {
    ColourPolicy policy = ColourPolicy::refuse;
    bool strict = false;
    std::int64_t skip_distorted = 0;
    SyncMode mode = SyncMode::index;
    /// Pairs of a part: what belongs to it, and from where on it is read.
    std::int64_t first = 0, opened = 0;
    std::optional<std::int64_t> end = {};
};

std::unique_ptr<PairSource> open(std::unique_ptr<FrameSource> reference, std::unique_ptr<FrameSource> distorted,
                                 const Wish &wish, Warnings &said) {
    PairOptions options{.skip_distorted = wish.skip_distorted,
                        .first_pair = wish.opened,
                        .sync = {wish.mode},
                        .strict = wish.strict,
                        .colours = ColourComparison{reference->info(), distorted->info(), false, true, wish.policy},
                        .log = said.sink()};
    return *PairSource::create(std::move(reference), std::move(distorted), options);
}

/// Reads the pairs of a part, and one behind them.
Outcome read(PairSource &pairs, const Wish &wish, Warnings &said) {
    Outcome outcome;
    for (std::int64_t pair = wish.opened; pair <= wish.end.value_or(length); pair++) {
        const auto frames = pairs.read();
        if (!frames)
            outcome.error = frames.error().message;
        if (!frames || !*frames)
            break;
        outcome.pairs++;
    }
    outcome.said = said.taken();
    outcome.warnings = pairs.warnings(wish.first, wish.end);
    outcome.notes = pairs.notes(wish.first, wish.end);
    return outcome;
}

Outcome read(std::unique_ptr<FrameSource> reference, std::unique_ptr<FrameSource> distorted, const Wish &wish = {}) {
    Warnings said;
    return read(*open(std::move(reference), std::move(distorted), wish, said), wish, said);
}

TEST(ChangeCheck, ARangeThatChangesEndsTheVideoAtThatFrame) {
    const char *const sentence = "frame 3 of distorted b.mkv changes the colour range from limited to full, and "
                                 "reference a.mkv has limited; cut both videos there and score their parts, or --as-is "
                                 "to score the samples as they are";
    const Outcome refused = read(video("a.mkv"), video("b.mkv", {{3, full}}));
    EXPECT_EQ(refused.error, sentence);
    EXPECT_EQ(refused.pairs, 3);
    const Outcome warned = read(video("a.mkv"), video("b.mkv", {{3, full}}), {.policy = ColourPolicy::warn});
    EXPECT_EQ(warned.error, "");
    EXPECT_THAT(warned.said, ElementsAre(sentence));
    const Outcome accepted = read(video("a.mkv"), video("b.mkv", {{3, full}}), {.policy = ColourPolicy::accept});
    EXPECT_THAT(accepted.said, IsEmpty());
    EXPECT_THAT(accepted.warnings, IsEmpty());
    ASSERT_THAT(accepted.notes, SizeIs(1));
    EXPECT_EQ(accepted.notes[0].sentence, sentence);
    EXPECT_EQ(accepted.pairs, length);
}

TEST(ChangeCheck, WhatBothVideosChangeIsNoFinding) {
    EXPECT_EQ(read(video("a.mkv", {{3, full}}), video("b.mkv", {{3, full}})).error, "");
    EXPECT_THAT(read(video("a.mkv", {{3, full}}), video("b.mkv", {{4, full}})).error,
                HasSubstr("frame 3 of reference a.mkv changes the colour range from limited to full, and distorted "
                          "b.mkv has limited"));
    const Outcome back = read(video("a.mkv"), video("b.mkv", {{3, usual}, {5, full}, {6, usual}}));
    EXPECT_EQ(back.pairs, 5);
}

TEST(ChangeCheck, FramesAreNumberedAsInTheirFiles) {
    EXPECT_THAT(read(video("a.mkv"), video("b.mkv", {{5, full}}), {.skip_distorted = 2}).error,
                HasSubstr("frame 5 of distorted b.mkv"));
    EXPECT_THAT(read(video("a.mkv", {{6, full}}, 50), video("b.mkv"), {.mode = SyncMode::pts}).error,
                HasSubstr("frame 6 of reference a.mkv"));
    EXPECT_EQ(read(video("a.mkv", {{5, full}, {6, usual}}, 50), video("b.mkv"), {.mode = SyncMode::pts}).error, "")
        << "a frame without a partner is not scored";
}

TEST(ChangeCheck, StrictScoringRefusesWhatOthersAreWarnedOf) {
    EXPECT_THAT(read(video("a.mkv"), video("b.mkv", {{2, pq}}), {.strict = true}).error,
                HasSubstr("frame 2 of distorted b.mkv changes the transfer from bt709 to smpte2084"));
    EXPECT_THAT(read(video("a.mkv", {{4, fields}}), video("b.mkv"), {.strict = true}).error,
                HasSubstr("from frame 4 on, reference a.mkv is interlaced (top field first)"));
    const Outcome noted =
        read(video("a.mkv", {{4, fields}}), video("b.mkv"), {.policy = ColourPolicy::accept, .strict = true});
    ASSERT_THAT(noted.notes, SizeIs(1));
    EXPECT_EQ(noted.notes[0].frames, 4);
}

TEST(ChangeCheck, InterlacedFramesAreCountedInOneWarning) {
    const Outcome outcome = read(video("a.mkv"), video("b.mkv", {{2, fields}, {3, usual}, {5, fields}, {7, usual}}));
    EXPECT_THAT(outcome.said, ElementsAre("in 3 frames, from frame 2 on, distorted b.mkv is interlaced (top field "
                                          "first), and features compare whole frames; deinterlace both videos first, "
                                          "for example with ffmpeg -vf bwdif"));
    ASSERT_THAT(outcome.warnings, SizeIs(1));
    EXPECT_EQ(outcome.warnings[0].sentence, outcome.said[0]);
    EXPECT_THAT(read(video("a.mkv"), std::make_unique<ChangingSource>("b.mkv", Colours{{4, usual}}, 25, fields)).said,
                IsEmpty())
        << "the beginning is looked at elsewhere";
}

/// Frames of both videos change, from one stated value to another and back.
TEST(ChangeCheck, CutsDoNotShow) {
    const Colours reference{{5, fields}, {7, usual}}, distorted{{1, fields}, {3, pq}, {4, fields}, {6, pq}};
    const auto read_part = [&](const Wish &wish) {
        return read(video("a.mkv", reference), video("b.mkv", distorted), wish);
    };
    const Outcome whole = read_part({});
    EXPECT_THAT(whole.warnings, SizeIs(4)); // transfer and HDR, and interlacing of either
    for (std::int64_t first = 1; first < length; first++)
        for (std::int64_t second = first; second < length; second++)
            for (const std::int64_t lead_in : {1, 2}) {
                std::vector<PairWarning> warnings;
                const std::int64_t ends[] = {first, second, length};
                for (std::int64_t begin = 0; const std::int64_t end : ends) {
                    if (begin < end)
                        add_warnings(warnings, read_part({.first = begin,
                                                          .opened = std::max<std::int64_t>(begin - lead_in, 0),
                                                          .end = end})
                                                   .warnings);
                    begin = end;
                }
                EXPECT_EQ(warnings, whole.warnings) << first << " " << second << " " << lead_in;
            }
}

TEST(ChangeCheck, AReaderThatIsMovedComparesWithTheBeginning) {
    Warnings said;
    const auto pairs = open(video("a.mkv"), video("b.mkv", {{2, fields}, {4, pq}}), {}, said);
    EXPECT_THAT(read(*pairs, {}, said).warnings, SizeIs(3));
    ASSERT_TRUE(pairs->can_go_to());
    ASSERT_TRUE(pairs->go_to(3));
    const Outcome moved = read(*pairs, {.first = 3, .opened = 3}, said);
    ASSERT_THAT(moved.warnings, SizeIs(3));
    EXPECT_EQ(moved.warnings[2].frames, 1) << moved.warnings[2].sentence;
    EXPECT_THAT(moved.warnings[0].sentence, HasSubstr("frame 4 of distorted"));
}

TEST(ChangeCheck, ConversionsAreMadeForTheBeginning) {
    const auto converted = [](const Colours &colours, ColourPolicy policy) {
        return read(std::make_unique<ChangingSource>("a.mkv", Colours{}, 25, full),
                    make_range_source(video("b.mkv", colours), "full"), {.policy = policy});
    };
    EXPECT_EQ(converted({{3, pq}}, ColourPolicy::warn).said.size(), 2U) << "its range is that of the beginning";
    EXPECT_THAT(converted({{3, full}}, ColourPolicy::refuse).error,
                HasSubstr("frame 3 of distorted b.mkv changes the colour range from limited to full, and its samples "
                          "are converted as before; cut both videos there"));
    EXPECT_THAT(converted({{3, full}}, ColourPolicy::accept).notes, SizeIs(1));

    EXPECT_THAT(
        read(make_deeper_full_source(std::make_unique<ChangingSource>("a.mkv", Colours{{2, usual}}, 25, full), 10),
             make_deeper_full_source(std::make_unique<ChangingSource>("b.mkv", Colours{{2, usual}}, 25, full), 10))
            .error,
        HasSubstr("frame 2 of reference a.mkv changes the colour range from full to limited, and its samples"));

    ColourDescription turned = usual, wide = usual;
    turned.rotation = 90;
    wide.rotation = 270;
    auto source = make_turned_source(std::make_unique<ChangingSource>("b.mkv", Colours{{3, wide}}, 25, turned));
    ASSERT_TRUE(source);
    for (int n = 0; n < 4; n++)
        ASSERT_TRUE(**(*source)->read());
    EXPECT_EQ((*source)->change()->conflict, "rotation from 90 degrees to 270 degrees");
    wide.rotation = 90;
    wide.sample_aspect_ratio = Rational{4, 3};
    source = make_turned_source(std::make_unique<ChangingSource>("b.mkv", Colours{{1, wide}}, 25, turned));
    for (int n = 0; n < 2; n++)
        ASSERT_TRUE(**(*source)->read());
    EXPECT_EQ((*source)->change()->conflict, "");
    EXPECT_EQ(*(*source)->change()->colour.sample_aspect_ratio, (Rational{3, 4}));
    EXPECT_EQ((*source)->change()->colour.rotation, 0);
}

TEST(ChangeCheck, ReadersOfASharedVideoSeeItsChanges) {
    auto shared = *share_source(video("a.mkv", {{1, full}}), 2);
    for (int n = 0; n < 2; n++)
        for (const auto &source : shared) {
            ASSERT_TRUE(**source->read());
            EXPECT_EQ(source->change() != nullptr, n == 1);
        }
}

} // namespace
} // namespace isovmaf::change_check_test
