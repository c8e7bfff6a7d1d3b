// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/pair_worker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.hpp"
#include "base/testing/temporary_folder.hpp"
#include "engine/testing/session_scores.hpp"
#include "execution/execution.hpp"
#include "input/pair/shared_source.hpp"

namespace isovmaf::pair_worker_test {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::StartsWith;

constexpr VideoFormat small{.width = 40, .height = 36};

/// The first frames of one side of a clip, and then the end, or a failure.
class ClipSource final : public FrameSource {
  public:
    ClipSource(const std::vector<FramePair> &clip, Frame FramePair::*side, std::size_t count,
               std::optional<Error> failure = {})
        : clip_(clip), side_(side), count_(count), failure_(std::move(failure)) {
        info_.format = small;
        info_.name = "clip";
    }

    [[nodiscard]] const SourceInfo &info() const override { return info_; }
    [[nodiscard]] Result<std::optional<Frame>> read() override {
        if (read_ < count_)
            return clip_[read_++].*side_;
        return failure_ ? Result<std::optional<Frame>>(tl::unexpected(*failure_)) : std::nullopt;
    }
    void cancel() override {}

  private:
    SourceInfo info_;
    const std::vector<FramePair> &clip_;
    Frame FramePair::*const side_;
    const std::size_t count_;
    const std::optional<Error> failure_;
    std::size_t read_ = 0;
};

/// A worker on the CPU, and the pieces that it hands over.
class Worker : public ::testing::Test {
  protected:
    static constexpr int frame_count = 40; // more than are handed over at a time

    [[nodiscard]] std::unique_ptr<PairSource> pair(std::unique_ptr<FrameSource> reference, std::size_t frames,
                                                   std::optional<Error> failure = {}) const {
        auto distorted = std::make_unique<ClipSource>(clip_, &FramePair::distorted, frames, std::move(failure));
        return value_of(PairSource::create(std::move(reference), std::move(distorted), {}));
    }
    [[nodiscard]] std::unique_ptr<FrameSource> reference() const {
        return std::make_unique<ClipSource>(clip_, &FramePair::reference, frame_count);
    }

    /// How a part fails whose distorted video cannot be read behind its third frame.
    [[nodiscard]] Error failure_of_part(const Error &failure) {
        PairWorker worker({execution_, "here"}, HardwareDecoding::none, {});
        EXPECT_TRUE(worker.open(videos_, options_.scoring, small));
        worker.take_over(pair(reference(), 3, failure));
        std::int64_t frames = 0;
        const Result<void> done = worker.extract_from(
            0, {.extracted = [&](std::size_t, const PartPiece &piece) { frames = piece.words->end_frame(); }});
        EXPECT_EQ(frames, 3) << "the frames before";
        EXPECT_EQ(worker.next_frame(), 3);
        return done ? Error{ErrorCode::internal, "no failure"} : done.error();
    }

    /// What all frames of the first `count` have as scores.
    [[nodiscard]] Outcome scores_of_first(std::size_t count) const {
        const auto end = clip_.begin() + static_cast<std::ptrdiff_t>(count);
        return {value_of(score(options_, {clip_.begin(), end})).frames, {}, {}};
    }

    const std::vector<FramePair> clip_ = clip_of(small, frame_count);
    const SessionOptions options_ = on_cpu(small);
    const ExecutionHandle execution_ = value_of(open_execution(options_.execution));
    const VideoRequest videos_;
    const TemporaryFolder folder_;
};

/// The scores of words that come in pieces.
class PieceScores {
  public:
    explicit PieceScores(const ScoringOptions &options) : scoring_(value_of(SegmentScoring::create(options, small))) {}

    void add(const PartPiece &piece, std::size_t seen) {
        pieces++;
        EXPECT_EQ(piece.first_frame, piece.words->first_frame);
        EXPECT_GE(seen, static_cast<std::size_t>(piece.words->end_frame())) << "small pictures come first";
        EXPECT_TRUE(scoring_.add(*piece.words));
        ended = piece.words->ends_video;
    }
    [[nodiscard]] Outcome end() {
        EXPECT_TRUE(scoring_.end());
        Outcome outcome;
        while (std::optional<FrameScores> scores = scoring_.next_result())
            outcome.frames.push_back(*std::move(scores));
        return outcome;
    }

    int pieces = 0;
    bool ended = false;

  private:
    SegmentScoring scoring_;
};

TEST_F(Worker, MembersEndAndFailWithoutDisturbingOthers) {
    PairWorker worker({execution_, "here"}, HardwareDecoding::none, {});
    const std::vector<std::size_t> lengths{frame_count, 5, 30};
    for (const bool in_pieces : {true, false}) {
        auto references = value_of(share_source(reference(), lengths.size()));
        std::vector<std::unique_ptr<PairSource>> pairs;
        const FrameNeeds needs = value_of(worker.prepare({options_.scoring, small, lengths.size()}, {}));
        for (std::size_t m = 0; m < lengths.size(); m++) {
            pairs.push_back(pair(std::move(references[m]), lengths[m],
                                 m == 2 ? std::optional(Error{ErrorCode::corrupt_data, "damaged"}) : std::nullopt));
            ASSERT_TRUE(pairs.back()->start(needs));
        }
        std::vector<PieceScores> scores;
        std::vector<std::size_t> seen(lengths.size());
        for (std::size_t m = 0; m < lengths.size(); m++)
            scores.emplace_back(options_.scoring);
        ASSERT_TRUE(
            worker.extract(pairs, {},
                           {.seen = [&](std::size_t m, const PairThumbnails &) { seen[m]++; },
                            .extracted = [&](std::size_t m, const PartPiece &piece) { scores[m].add(piece, seen[m]); },
                            .in_pieces = in_pieces}));
        EXPECT_EQ(seen, lengths);
        expect_equal(scores[0].end(), scores_of_first(frame_count));
        expect_equal(scores[1].end(), scores_of_first(5));
        EXPECT_TRUE(scores[0].ended && scores[1].ended);
        EXPECT_FALSE(scores[2].ended) << "its rest is missing";
        EXPECT_EQ(scores[0].pieces > 1, in_pieces);
        EXPECT_EQ(scores[2].pieces > 0, in_pieces);
    }
}

TEST_F(Worker, TheFaultOfADeviceHasItsName) {
    for (const ErrorCode code : {ErrorCode::device_lost, ErrorCode::device_failed, ErrorCode::out_of_memory,
                                 ErrorCode::not_executed, ErrorCode::unavailable}) {
        const Error error = failure_of_part({code, "it failed"});
        EXPECT_EQ(error.code, code);
        EXPECT_EQ(error.message, "here: it failed") << static_cast<int>(code);
    }
}

TEST_F(Worker, TheFaultOfAVideoNamesNoDevice) {
    for (const ErrorCode code : {ErrorCode::corrupt_data, ErrorCode::unsupported, ErrorCode::mismatch,
                                 ErrorCode::invalid_argument, ErrorCode::not_found, ErrorCode::io}) {
        const Error error = failure_of_part({code, "it failed"});
        EXPECT_EQ(error.code, code);
        EXPECT_EQ(error.message, "it failed") << static_cast<int>(code);
    }
}

TEST_F(Worker, AFileThatIsNotThereKeepsItsCode) {
    PairWorker worker({execution_, "here"}, HardwareDecoding::none, {});
    const VideoRequest missing{.reference = {"/nowhere/ref.yuv", small}, .distorted = {"/nowhere/dis.yuv", small}};
    ASSERT_TRUE(worker.open(missing, options_.scoring, small));
    const Result<void> done = worker.extract_from(0, {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::not_found);
    EXPECT_THAT(done.error().message, ::testing::HasSubstr("/nowhere/ref.yuv"));
}

/// Another decoder than software needs a device; the CPU has none.
TEST_F(Worker, AWishThatCannotBeHadNamesNoPlace) {
    PairWorker worker({execution_, "here"}, HardwareDecoding::cuda, {});
    const Result<void> opened = worker.open(videos_, options_.scoring, small);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::unavailable);
    EXPECT_THAT(opened.error().message, StartsWith("--hwaccel cuda cannot be had"));
}

TEST_F(Worker, APlaceThatCannotBeHadKeepsItsCode) {
    const ExecutionHandle nowhere =
        value_of(open_execution({.backend = "hip", .backend_folders = {folder_.file("empty")}}));
    PairWorker worker({nowhere, "here"}, HardwareDecoding::none, {});
    const Result<void> opened = worker.open(videos_, options_.scoring, small);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, nowhere->opened().error().code);
    EXPECT_EQ(opened.error().message, at_place(nowhere->opened().error(), "here").message);
}

/// An extraction whose part was cancelled is not used again, and one that is kept extracts as a new one does.
TEST_F(Worker, PartsHaveTheWordsOfANewExtraction) {
    const auto words_of = [&](PairWorker &worker, const FrameRange &frames, int reads) {
        const FrameNeeds needs = value_of(worker.prepare(
            {.scoring = options_.scoring, .format = small, .key = "one", .first_frame = frames.first}, {}));
        auto distorted = std::make_unique<ClipSource>(clip_, &FramePair::distorted, 20);
        auto pairs =
            value_of(PairSource::create(reference(), std::move(distorted), {.first_pair = first_opened_frame(frames)}));
        EXPECT_TRUE(pairs->start(needs));
        std::vector<std::byte> words;
        const Result<void> done = worker.extract(
            {&pairs, 1}, frames,
            {.extracted = [&](std::size_t, const PartPiece &piece) { words = encode_words(*piece.words); },
             .cancelled = [&] { return reads-- == 0; }});
        EXPECT_EQ(done.has_value(), !words.empty());
        EXPECT_TRUE(done || done.error().code == ErrorCode::interrupted);
        return words;
    };
    constexpr int all = 100;
    PairWorker kept({execution_, "here"}, HardwareDecoding::none, {});
    for (const FrameRange &frames : {FrameRange{}, FrameRange{3, 9}, FrameRange{12, std::nullopt}}) {
        PairWorker fresh({execution_, "here"}, HardwareDecoding::none, {});
        const std::vector<std::byte> expected = words_of(fresh, frames, all);
        EXPECT_EQ(words_of(kept, frames, all), expected);
        EXPECT_THAT(words_of(kept, frames, 5), ::testing::IsEmpty());
        EXPECT_EQ(words_of(kept, frames, all), expected);
    }
}

TEST(Blame, IsPutOnADeviceForWhatAnotherMayDoBetter) {
    std::vector<int> blamed;
    for (int code = 1; code <= static_cast<int>(ErrorCode::unavailable); code++)
        if (may_blame_device(static_cast<ErrorCode>(code))) {
            blamed.push_back(code);
            EXPECT_EQ(origin_of(static_cast<ErrorCode>(code)), ErrorOrigin::environment) << code;
        }
    EXPECT_THAT(blamed, ElementsAre(7, 8, 11, 12, 13));
}

} // namespace
} // namespace isovmaf::pair_worker_test
