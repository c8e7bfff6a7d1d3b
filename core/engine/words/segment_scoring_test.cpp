// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "engine/extraction.hpp"
#include "engine/testing/session_scores.hpp"
#include "engine/words/segments.hpp"

namespace isovmaf::testing::segment_scoring_test {
namespace {

using ::testing::HasSubstr;

constexpr VideoFormat format{.width = 64, .height = 48};
constexpr std::int64_t clip_length = 8;

SessionOptions everything() {
    SessionOptions options = on_cpu(format);
    options.execution.threads = 1;
    return options;
}

WordsFile extract(const std::vector<FramePair> &pairs, std::int64_t first, std::int64_t end) {
    Result<SegmentExtraction> segment = segment_of(everything(), first);
    EXPECT_TRUE(segment) << segment.error().message;
    for (std::int64_t n = first - segment->extraction().lead_in(); n < end; n++)
        EXPECT_TRUE(segment->extraction().push(pairs[static_cast<std::size_t>(n)]));
    return segment->finish(end == clip_length).value();
}

TEST(SegmentScoring, GivesScoresWhileSegmentsCome) {
    const std::vector<FramePair> clip = clip_of(format, clip_length);
    const Result<Outcome> whole = score(everything(), clip);
    for (const std::vector<std::int64_t> &cuts : {std::vector<std::int64_t>{0, 8}, {0, 1, 2, 3, 5, 8}, {0, 4, 8}}) {
        SegmentScoring scoring = SegmentScoring::create(everything().scoring, format).value();
        std::vector<FrameScores> frames;
        const auto take = [&] {
            while (std::optional<FrameScores> scores = scoring.next_result())
                frames.push_back(*std::move(scores));
        };
        for (std::size_t i = 1; i < cuts.size(); i++) {
            const Result<void> added = scoring.add(extract(clip, cuts[i - 1], cuts[i]));
            ASSERT_TRUE(added) << added.error().message;
            take();
            EXPECT_GE(static_cast<std::int64_t>(frames.size()), cuts[i] - max_lead_in); // the last ones wait for others
        }
        ASSERT_TRUE(scoring.end());
        take();
        expect_equal(Outcome{frames, scoring.table().aggregates, {}}, whole);
        EXPECT_EQ(scoring.table().names, Session::create(everything())->score_names());
    }
}

/// Adds the pieces of a segment as they become ready, and the rest of it.
void add_in_pieces(const std::vector<FramePair> &pairs, SegmentExtraction &segment, std::int64_t first,
                   std::int64_t end, SegmentScoring &scoring, std::vector<std::int64_t> &firsts) {
    const auto add = [&](const WordsFile &piece) {
        firsts.push_back(piece.first_frame);
        const Result<void> added = scoring.add(piece);
        EXPECT_TRUE(added) << added.error().message;
    };
    for (std::int64_t n = first - segment.extraction().lead_in(); n < end; n++) {
        ASSERT_TRUE(segment.extraction().push(pairs[static_cast<std::size_t>(n)]));
        if (const std::optional<WordsFile> piece = segment.take_words().value())
            add(*piece);
    }
    const Result<WordsFile> rest = segment.finish(end == clip_length);
    ASSERT_TRUE(rest) << rest.error().message;
    EXPECT_EQ(rest->last.size(), static_cast<std::size_t>(max_lead_in)) << "which the next segment is compared with";
    add(*rest);
}

TEST(SegmentScoring, TakesPiecesOfSegmentsThatGoOn) {
    const std::vector<FramePair> clip = clip_of(format, clip_length);
    for (const char *feature : {"", "psnr"}) { // psnr alone reads no earlier frame
        SessionOptions options = everything();
        options.execution.frames_in_flight = 1; // words are ready after a push
        if (*feature != '\0')
            options.scoring = {.features = {{.name = feature}}};
        SegmentExtraction segment = segment_of(options, 0).value();
        SegmentScoring scoring = SegmentScoring::create(options.scoring, format).value();
        std::vector<std::int64_t> firsts;
        add_in_pieces(clip, segment, 0, 5, scoring, firsts);
        ASSERT_TRUE(segment.restart(5));
        add_in_pieces(clip, segment, 5, clip_length, scoring, firsts);
        ASSERT_TRUE(scoring.end());
        EXPECT_EQ(scoring.table().aggregates, score(options, clip)->aggregates);
        EXPECT_GT(firsts.size(), 2U) << "no piece before the end";
    }
}

/// The last frames stay: a words file has their digests, with which the next segment is compared.
TEST(SegmentExtraction, TakesNoWordsOfTheLastFrames) {
    const std::vector<FramePair> clip = clip_of(format, clip_length);
    SessionOptions options = everything();
    options.execution.frames_in_flight = 1; // a push waits for the words of the frame before
    for (const std::int64_t length : {1, 2, 3, 6}) {
        const std::int64_t kept = std::min<std::int64_t>(length, max_lead_in);
        const WordsFile whole = extract(clip, 0, length);
        SegmentExtraction segment = segment_of(options, 0).value();
        std::vector<std::int64_t> words;
        std::int64_t taken = 0;
        for (std::int64_t n = 0; n < length; n++) {
            ASSERT_TRUE(segment.extraction().push(clip[static_cast<std::size_t>(n)]));
            const std::optional<WordsFile> piece = segment.take_words().value();
            EXPECT_EQ(piece.has_value(), n >= max_lead_in) << "frame " << n;
            if (!piece)
                continue;
            EXPECT_EQ(piece->first_frame, taken);
            EXPECT_TRUE(piece->last.empty());
            taken = piece->end_frame();
            EXPECT_EQ(taken, n + 1 - max_lead_in);
            words.insert(words.end(), piece->words.begin(), piece->words.end());
        }
        const WordsFile rest = segment.finish(false).value();
        EXPECT_EQ(rest.first_frame, length - kept);
        EXPECT_EQ(rest.frame_count, kept);
        EXPECT_EQ(rest.last, whole.last);
        words.insert(words.end(), rest.words.begin(), rest.words.end());
        EXPECT_EQ(words, whole.words) << length << " frames";
    }
}

TEST(SegmentScoring, ComparesPicturesBehindPieces) {
    const std::vector<FramePair> clip = clip_of(format, clip_length);
    std::vector<FramePair> other = clip;
    std::swap(other[2].distorted, other[3].distorted);
    SegmentExtraction segment = segment_of(everything(), 0).value();
    SegmentScoring scoring = SegmentScoring::create(everything().scoring, format).value();
    std::vector<std::int64_t> firsts;
    add_in_pieces(clip, segment, 0, 4, scoring, firsts);
    EXPECT_GT(firsts.size(), 1U);
    EXPECT_FALSE(scoring.add(extract(other, 4, 8)));
    EXPECT_TRUE(scoring.add(extract(clip, 4, 8)));
}

TEST(SegmentScoring, RefusesASegmentThatWasReadOfOtherPictures) {
    const std::vector<FramePair> clip = clip_of(format, clip_length);
    std::vector<FramePair> other = clip;
    std::swap(other[3].distorted, other[2].distorted);
    SegmentScoring scoring = SegmentScoring::create(everything().scoring, format).value();
    ASSERT_TRUE(scoring.add(extract(clip, 0, 4)));
    const Result<void> added = scoring.add(extract(other, 4, 8));
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::mismatch);
    EXPECT_THAT(added.error().message, HasSubstr("frame 3 of the distorted video came with other samples"));
}

TEST(SegmentScoring, RefusesASegmentThatIsNotTheNext) {
    const std::vector<FramePair> clip = clip_of(format, clip_length);
    SegmentScoring scoring = SegmentScoring::create(everything().scoring, format).value();
    EXPECT_FALSE(scoring.add(extract(clip, 1, 4)));
    ASSERT_TRUE(scoring.add(extract(clip, 0, 4)));
    EXPECT_FALSE(scoring.add(extract(clip, 5, 8)));
    EXPECT_TRUE(scoring.add(extract(clip, 4, 8)));
}

} // namespace
} // namespace isovmaf::testing::segment_scoring_test
