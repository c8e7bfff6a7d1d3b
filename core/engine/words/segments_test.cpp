// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/words/segments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "engine/extraction.hpp"
#include "engine/testing/session_scores.hpp"
#include "features/registry.hpp"
#include "features/testing/mixed_semantics.hpp"

namespace isovmaf::testing::segments_test {
namespace {

using ::testing::HasSubstr;

constexpr VideoFormat format{.width = 64, .height = 48};
constexpr int clip_length = 8;

const std::vector<FramePair> &clip() {
    static const std::vector<FramePair> pairs = clip_of(format, clip_length);
    return pairs;
}

/// Motion at both distances, whole-video scores, a model.
SessionOptions everything() {
    SessionOptions options = on_cpu(format);
    options.execution.threads = 1;
    options.scoring.features[0].options = {{"enable_apsnr", "true"}};
    return options;
}

SessionOptions psnr_alone() {
    return {.format = format, .scoring = {.features = {{"psnr", {}}}}, .execution = {.threads = 1}};
}

WordsFile extract(const SessionOptions &options, const std::vector<FramePair> &pairs, std::int64_t first,
                  std::int64_t end) {
    Result<SegmentExtraction> segment = segment_of(options, first);
    EXPECT_TRUE(segment) << segment.error().message;
    for (std::int64_t n = first - segment->extraction().lead_in(); n < end; n++)
        EXPECT_TRUE(segment->extraction().push(pairs[static_cast<std::size_t>(n)]));
    Result<WordsFile> file = segment->finish(end == static_cast<std::int64_t>(pairs.size()));
    EXPECT_TRUE(file) << file.error().message;
    file->name = std::to_string(first) + "-" + std::to_string(end);
    return *std::move(file);
}

std::vector<WordsFile> extract_all(const SessionOptions &options, const std::vector<std::int64_t> &cuts) {
    std::vector<WordsFile> files;
    for (std::size_t i = 1; i < cuts.size(); i++)
        files.push_back(extract(options, clip(), cuts[i - 1], cuts[i]));
    return files;
}

void expect_equal(const Result<WordScores> &found, const Result<Outcome> &expected) {
    ASSERT_TRUE(found) << found.error().message;
    expect_equal(Outcome{found->table.frames, found->table.aggregates, {}}, expected);
}

TEST(Segments, GiveTheScoresOfTheWholeVideoInAnyOrder) {
    const Result<Outcome> whole = score(everything(), clip());
    expect_equal(score_segments(everything().scoring, extract_all(everything(), {0, 8})), whole);
    expect_equal(score_segments(everything().scoring, extract_all(everything(), {0, 1, 2, 3, 5, 8})), whole);
    std::vector<WordsFile> files = extract_all(everything(), {0, 3, 4, 8});
    std::ranges::reverse(files);
    expect_equal(score_segments(everything().scoring, files), whole);
    EXPECT_FALSE(whole->aggregates.empty());
}

TEST(Segments, ARestartedExtractionGivesTheWordsOfANewOne) {
    const std::vector<FramePair> other(clip().rbegin(), clip().rend());
    Result<SegmentExtraction> kept = segment_of(everything(), 0);
    ASSERT_TRUE(kept) << kept.error().message;
    ASSERT_TRUE(kept->extraction().push(clip()[0]));
    EXPECT_FALSE(kept->restart(0));     // it has not finished
    kept = segment_of(everything(), 0); // which may begin elsewhere before its first frame
    for (const auto &[pairs, first] : {std::pair{&clip(), 3}, std::pair{&other, 0}, std::pair{&clip(), 1}}) {
        ASSERT_TRUE(kept->restart(first));
        for (std::int64_t n = first - kept->extraction().lead_in(); n < clip_length; n++)
            ASSERT_TRUE(kept->extraction().push((*pairs)[static_cast<std::size_t>(n)]));
        const Result<WordsFile> file = kept->finish(true);
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(encode_words(*file), encode_words(extract(everything(), *pairs, first, clip_length)));
    }
}

TEST(Segments, ScoreAnotherModelAsIfItWereScoredAfresh) {
    const ModelRequest neg{.version = "vmaf_v0.6.1neg", .name = "neg"}, four_k{.version = "vmaf_4k_v0.6.1"};
    SessionOptions both = everything();
    both.scoring.models.push_back(neg);
    const std::vector<WordsFile> words = extract_all(both, {0, 3, 8});
    for (const ModelRequest &model : {neg, four_k, ModelRequest{}})
        for (const int subsample : {1, 2}) {
            const SessionOptions fresh{
                .format = format, .scoring = {.models = {model}, .subsample = subsample}, .execution = {.threads = 1}};
            const Result<WordScores> again = score_segments(fresh.scoring, words);
            expect_equal(again, score(fresh, clip()));
            EXPECT_EQ(again->table.names, Session::create(fresh)->score_names());
            EXPECT_EQ(again->table.sources, Session::create(fresh)->score_sources());
            EXPECT_EQ(again->feature_score_count, Session::create(fresh)->feature_score_count());
        }
}

TEST(Segments, OptionsSurviveAsText) {
    for (const FeatureDescriptor *feature : all_features()) {
        const OptionSet defaults(feature->options);
        const Result<OptionSet> read = OptionSet::parse(feature->name, feature->options, option_texts(defaults));
        ASSERT_TRUE(read) << read.error().message;
        for (std::size_t i = 0; i < defaults.specs().size(); i++)
            EXPECT_EQ(read->value(i), defaults.value(i)) << feature->name << " " << defaults.specs()[i].name;
    }
}

std::string refusal(const std::vector<WordsFile> &files, const SessionOptions &options = psnr_alone()) {
    const Result<WordScores> scores = score_segments(options.scoring, files);
    return scores ? "accepted" : scores.error().message;
}

TEST(Segments, MissingFramesAreNamed) {
    const SessionOptions options = psnr_alone();
    std::vector<WordsFile> files = extract_all(options, {0, 2, 3, 6, 8});
    EXPECT_EQ(missing_frames(files), std::vector<FrameRange>{});
    EXPECT_EQ(missing_frames({}), std::vector<FrameRange>{{0}});
    EXPECT_EQ(missing_frames(extract_all(options, {1, 8})), (std::vector<FrameRange>{{0, 1}}));
    files.erase(files.begin() + 2);
    files.erase(files.begin());
    EXPECT_EQ(missing_frames(files), (std::vector<FrameRange>{{0, 2}, {3, 6}}));
    EXPECT_THAT(refusal(files), HasSubstr("no words file holds frames 0 to 1, frames 3 to 5: extract"));
    files.pop_back();
    EXPECT_THAT(refusal(files), HasSubstr("no words file holds frames 0 to 1, frame 3 and what follows it"));
    EXPECT_THAT(refusal({}), HasSubstr("no words file holds frame 0 and what follows it"));
}

TEST(Segments, OverlapsAreRefused) {
    const SessionOptions options = psnr_alone();
    std::vector<WordsFile> files = extract_all(options, {0, 4, 8});
    files.push_back(extract(options, clip(), 3, 4));
    EXPECT_THAT(refusal(files), HasSubstr("words files 0-4 and 3-4 both hold frame 3: leave one of them out"));
    files = extract_all(options, {0, 4, 8});
    files[0].ends_video = true;
    EXPECT_THAT(refusal(files), HasSubstr("0-4 ends the video with frame 3, but words file 4-8 holds frames 4 to 7"));
}

/// One more row of the table needs nothing else: from the session to the scores of segments, all code reads choices.
TEST(Segments, ARowWithChoicesOfSeveralReleasesIsScoredAlike) {
    SessionOptions options = everything();
    options.scoring.semantics = mixed_semantics;
    const Result<Outcome> whole = score(options, clip()), listed = score(everything(), clip());
    expect_equal(score_segments(options.scoring, extract_all(options, {0, 1, 5, 8})), whole);
    ASSERT_TRUE(whole && listed);
    EXPECT_NE(whole->frames[2].scores, listed->frames[2].scores);
    EXPECT_THAT(refusal(extract_all(everything(), {0, 8}), options),
                HasSubstr("for scores of libvmaf-3.2, and scores of mixed are wanted"));
}

TEST(Segments, OtherOptionsFeaturesSemanticsAndFormatsAreRefused) {
    const auto message = [](auto change) {
        SessionOptions other = psnr_alone();
        change(other);
        const std::vector<FramePair> pairs = clip_of(other.format, clip_length);
        return refusal({extract(psnr_alone(), clip(), 0, 4), extract(other, pairs, 4, 8)});
    };
    EXPECT_EQ(message([](SessionOptions &) {}), "accepted");
    EXPECT_THAT(message([](SessionOptions &other) {
                    other.scoring.features[0].options = {{"enable_mse", "true"}};
                }),
                HasSubstr("words files 0-4 and 4-8 do not belong together: the options of feature \"psnr\""));
    EXPECT_THAT(message([](SessionOptions &other) {
                    other.scoring.features = {{"motion", {}}};
                }),
                HasSubstr("one has the features \"psnr\" and the other \"motion\""));
    EXPECT_THAT(message([](SessionOptions &other) { other.scoring.semantics = Semantics::libvmaf_3_0; }),
                HasSubstr("the semantics are libvmaf-3.2 in one and libvmaf-3.0 in the other"));
    EXPECT_THAT(message([](SessionOptions &other) { other.scoring.subsample = 2; }),
                HasSubstr("the subsampling is 1 in one"));
    EXPECT_THAT(message([](SessionOptions &other) { other.format.bit_depth = 10; }),
                HasSubstr("the video is 64x48 4:2:0 8-bit in one and 64x48 4:2:0 10-bit in the other"));
}

TEST(Segments, PicturesOfAnotherVideoAreRefused) {
    SessionOptions options = psnr_alone();
    options.scoring.features = {{"motion", {{"motion_five_frame_window", "true"}}}};
    for (const bool reference : {true, false})
        for (const std::int64_t cut : {1, 4}) { // one of the two lead-in frames is two segments back
            std::vector<FramePair> other = clip();
            FramePair &changed = other[2];
            (reference ? changed.reference : changed.distorted) = clip()[0].reference;
            const std::vector<WordsFile> files{extract(options, clip(), 0, 3), extract(options, clip(), 3, 4),
                                               extract(options, cut == 4 ? other : clip(), 4, 8)};
            if (cut == 4)
                EXPECT_THAT(refusal(files, options),
                            HasSubstr(reference ? "words files 0-3 and 4-8 are of different videos: their reference of "
                                                  "frame 2 is not the same picture"
                                                : "their distorted video of frame 2"));
            else
                EXPECT_EQ(refusal(files, options), "accepted");
        }
}

/// The clip with other chroma.
std::vector<FramePair> recoloured() {
    std::vector<FramePair> pairs = clip();
    for (FramePair &pair : pairs)
        for (Frame *const frame : {&pair.reference, &pair.distorted}) {
            const Frame from = *frame;
            *frame = painted_frame(format, default_poison, [&](int p, int x, int y) {
                return from.plane(p).row<std::uint8_t>(y)[x] ^ (p > 0 ? 0x55 : 0);
            });
        }
    return pairs;
}

TEST(Segments, WordsFilesTellThePlanesApartThatFeaturesRead) {
    for (const bool chroma : {false, true}) {
        SessionOptions options = psnr_alone();
        options.scoring.features = {{chroma ? "ciede" : "motion", {}}};
        EXPECT_EQ(segment_of(options, 3)->extraction().planes_read(), chroma ? 3 : 1);
        const WordsFile file = extract(options, clip(), 3, 8), other = extract(options, recoloured(), 3, 8);
        EXPECT_EQ(file.words == other.words, !chroma);
        EXPECT_EQ(file.lead_in == other.lead_in, !chroma);
        EXPECT_EQ(file.last == other.last, !chroma);
    }
}

TEST(Segments, NeighboursHaveAFrameInCommonAlsoWithoutTemporalFeatures) {
    std::vector<FramePair> later(clip().begin() + 1, clip().end()); // each frame has the number of the one before it
    later.push_back(clip()[0]);
    EXPECT_THAT(
        refusal({extract(psnr_alone(), clip(), 0, 3), extract(psnr_alone(), later, 3, 8)}),
        HasSubstr("words files 0-3 and 3-8 are of different videos: their reference of frame 2 is not the same"));
}

TEST(Segments, WordsThatWereNotExtractedCannotBeScored) {
    const std::vector<WordsFile> words = extract_all(psnr_alone(), {0, 8});
    SessionOptions options = psnr_alone();
    options.scoring.features[0].options = {{"enable_mse", "true"}};
    EXPECT_THAT(refusal(words, options),
                HasSubstr("feature psnr was not extracted with these options: enable_mse=true"));
    options.scoring.features = {{"vif", {}}};
    EXPECT_THAT(refusal(words, options), HasSubstr("feature vif was not extracted"));
    options = psnr_alone();
    options.scoring.semantics = Semantics::libvmaf_3_0;
    EXPECT_THAT(refusal(words, options), HasSubstr("for scores of libvmaf-3.2, and scores of libvmaf-3.0 are wanted"));
    options = psnr_alone();
    options.scoring.subsample = 2;
    const std::vector<WordsFile> halved = extract_all(options, {0, 8});
    options.scoring.subsample = 3;
    EXPECT_THAT(refusal(halved, options), HasSubstr("ask for a multiple of 2"));
}

TEST(Segments, WordsOfAnotherVersionAreRefused) {
    const auto message = [](auto change) {
        std::vector<WordsFile> words = extract_all(psnr_alone(), {0, 8});
        change(words[0].schema.features[0]);
        return refusal(words);
    };
    EXPECT_EQ(message([](WordsFeature &) {}), "accepted");
    EXPECT_THAT(message([](WordsFeature &psnr) { psnr.words[0].kind = WordKind::f64; }),
                HasSubstr("the words of feature psnr are not those of this version"));
    EXPECT_THAT(message([](WordsFeature &psnr) { psnr.option_sets[0].pop_back(); }), HasSubstr("with other options"));
    EXPECT_THAT(message([](WordsFeature &psnr) { psnr.name = "sharpness"; }), HasSubstr("does not have in this form"));
    EXPECT_THAT(message([](WordsFeature &psnr) { psnr.option_sets.push_back(psnr.option_sets[0]); }),
                HasSubstr("option sets of feature \"psnr\" twice"));
}

TEST(Segments, FramesWithoutAnOwnerAreCopied) {
    const WordsFile expected = extract(everything(), clip(), 3, 8);
    Result<SegmentExtraction> segment = segment_of(everything(), 3);
    ASSERT_TRUE(segment) << segment.error().message;
    const auto unowned = [](Frame &copy, const Frame &frame) {
        copy = constant_frame(format, 0); // memory that every frame overwrites
        std::array<const void *, 3> data{};
        std::array<std::ptrdiff_t, 3> stride_bytes{};
        for (int p = 0; p < 3; p++) {
            const Plane to = copy.plane(p), from = frame.plane(p);
            for (int y = 0; y < from.height; y++)
                std::copy_n(from.row<std::uint8_t>(y), from.width, const_cast<std::uint8_t *>(to.row<std::uint8_t>(y)));
            data[static_cast<std::size_t>(p)] = to.data;
            stride_bytes[static_cast<std::size_t>(p)] = to.stride_bytes;
        }
        return Frame(format, nullptr, data, stride_bytes);
    };
    Frame reference, distorted;
    for (std::size_t n = 3 - static_cast<std::size_t>(segment->extraction().lead_in()); n < clip().size(); n++) {
        const FramePair pair{unowned(reference, clip()[n].reference), unowned(distorted, clip()[n].distorted)};
        ASSERT_TRUE(segment->extraction().push(pair));
    }
    const Result<WordsFile> file = segment->finish(true);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->words, expected.words);
    EXPECT_EQ(file->lead_in, expected.lead_in);
    EXPECT_EQ(file->last, expected.last);
}

TEST(Segments, AFrameOfAnotherFormatIsNotTaken) {
    const FramePair larger = clip_of({.width = 64, .height = 49}, 1).front();
    const auto file_of = [&](bool refuses) {
        SegmentExtraction segment = segment_of(psnr_alone(), 0).value();
        for (const FramePair &pair : clip()) {
            if (refuses) {
                EXPECT_EQ(segment.extraction().push({pair.reference, larger.distorted}).error().code,
                          ErrorCode::mismatch);
            }
            EXPECT_TRUE(segment.extraction().push(pair)) << "the pair before was not taken";
        }
        return segment.finish(true).value();
    };
    const WordsFile file = file_of(true), expected = file_of(false);
    EXPECT_EQ(file.frame_count, expected.frame_count);
    EXPECT_EQ(file.words, expected.words);
    EXPECT_EQ(file.last, expected.last);
}

TEST(Segments, MisuseIsAnError) {
    EXPECT_FALSE(segment_of(psnr_alone(), -1));
    EXPECT_FALSE(segment_of({.format = format}, 0));
    EXPECT_THAT(segment_of(psnr_alone(), 3)->finish(true).error().message, HasSubstr("has no frame"));
}

} // namespace
} // namespace isovmaf::testing::segments_test
