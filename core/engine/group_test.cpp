// SPDX-License-Identifier: BSD-2-Clause-Patent
// Several distorted videos beside one reference: the words of each are those that it has alone. Runs on the CPU, and on
// the backend that ISOVMAF_TEST_PLUGIN names if there is one.
#include <algorithm>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "engine/extraction.hpp"
#include "engine/testing/session_scores.hpp"
#include "engine/words/segments.hpp"
#include "features/registry.hpp"
#include "features/testing/feature_runner.hpp"

namespace isovmaf::testing::group_test {
namespace {

constexpr VideoFormat format{.width = 67, .height = 49};
constexpr int clip_length = 11;

SessionOptions options() {
    SessionOptions options = test_plugin().empty() ? on_cpu(format) : on_device(format);
    options.execution.threads = 2;
    return options;
}

using Video = std::vector<Frame>;

/// A reference, and distorted videos that are unlike each other.
struct Ladder {
    Video reference;
    std::vector<Video> encodes;
};

const Ladder &ladder() {
    static const Ladder made = [] {
        Ladder ladder;
        const std::vector<FramePair> clip = clip_of(format, clip_length);
        ladder.encodes.resize(3);
        for (std::size_t n = 0; n < clip.size(); n++) {
            ladder.reference.push_back(clip[n].reference);
            ladder.encodes[0].push_back(clip[n].distorted);
            ladder.encodes[1].push_back(clip[clip.size() - 1 - n].distorted);
            ladder.encodes[2].push_back(clip[(n + 3) % clip.size()].reference);
        }
        return ladder;
    }();
    return made;
}

WordsFile alone(const SessionOptions &options, const Video &encode, std::size_t first, std::size_t end) {
    Result<SegmentExtraction> segment = segment_of(options, static_cast<std::int64_t>(first));
    EXPECT_TRUE(segment) << segment.error().message;
    for (std::size_t n = first - static_cast<std::size_t>(segment->extraction().lead_in()); n < end; n++)
        EXPECT_TRUE(segment->extraction().push({ladder().reference[n], encode[n]}));
    return segment->finish(false).value();
}

void expect_equal(const WordsFile &found, const WordsFile &expected) {
    EXPECT_EQ(encode_words(found), encode_words(expected));
}

/// Extracts the first `ends.size()` encodes together; encode m ends before frame ends[m].
std::vector<WordsFile> together(const SessionOptions &options, std::size_t first,
                                const std::vector<std::size_t> &ends) {
    Result<SegmentExtraction> segment = segment_of(options, static_cast<std::int64_t>(first), ends.size());
    EXPECT_TRUE(segment) << segment.error().message;
    std::vector<WordsFile> files(ends.size());
    for (std::size_t n = first - static_cast<std::size_t>(segment->extraction().lead_in());; n++) {
        Video frames(ends.size());
        for (std::size_t m = 0; m < ends.size(); m++)
            if (n < ends[m])
                frames[m] = ladder().encodes[m][n];
            else if (n == ends[m])
                files[m] = segment->finish(false, m).value();
        if (n >= *std::ranges::max_element(ends))
            return files;
        const Result<void> pushed = segment->extraction().push(ladder().reference[n], frames);
        EXPECT_TRUE(pushed) << pushed.error().message;
    }
}

void expect_same_words(const SessionOptions &options, std::size_t first, const std::vector<std::size_t> &ends) {
    const std::vector<WordsFile> files = together(options, first, ends);
    for (std::size_t m = 0; m < ends.size(); m++) {
        SCOPED_TRACE(m);
        expect_equal(files[m], alone(options, ladder().encodes[m], first, ends[m]));
    }
}

TEST(Group, EveryMemberHasTheWordsThatItHasAlone) {
    expect_same_words(options(), 0, {11});
    expect_same_words(options(), 0, {11, 11, 11});
    expect_same_words(options(), 4, {11, 11, 11});
}

TEST(Group, MembersThatEndEarlyLeaveTheOthersAlone) {
    expect_same_words(options(), 0, {3, 11, 7}); // the first one brings the reference until it leaves
    expect_same_words(options(), 4, {11, 5, 6});
}

TEST(Group, SubsamplingAndFramesInFlightDoNotShow) {
    for (const int frames : {1, 2, 5, 16}) {
        SessionOptions other = options();
        other.execution.frames_in_flight = frames;
        other.scoring.subsample = frames;
        expect_same_words(other, 0, {11, 4, 11});
    }
}

TEST(Group, MembersFinishOnce) {
    SessionOptions psnr{.format = format, .scoring = {.features = {{"psnr", {}}}}, .execution = {.threads = 1}};
    Result<SegmentExtraction> segment = segment_of(psnr, 0, 2);
    const FramePair pair = clip_of(format, 1).front();
    ASSERT_TRUE(segment->extraction().push(pair.reference, std::vector{pair.distorted, pair.distorted}));
    ASSERT_TRUE(segment->finish(true, 1));
    ASSERT_TRUE(segment->extraction().push(pair.reference, std::vector{pair.distorted, Frame()}));
    EXPECT_EQ(segment->finish(true, 0)->frame_count, 2);
    EXPECT_FALSE(segment->extraction().push(pair.reference, std::vector{Frame(), Frame()}));
}

/// The words of a picture.
std::vector<std::int64_t> words_of(const FeaturePlan &plan, const PictureWindow &frames) {
    std::vector<std::int64_t> words(plan.extracted().size());
    Workspace workspace;
    plan.definition->extract(frames, workspace, words);
    return words;
}

TEST(Group, FeaturesSayWhetherTheyReadTheReferenceAlone) {
    for (const FeatureDescriptor *feature : all_features()) {
        const OptionSet defaults(feature->options);
        const int side = 3 * smallest_picture(*feature, defaults).square();
        GeneratedClip generated({.width = side, .height = side});
        const FramePair clip[] = {generated.frame(0), generated.frame(1)};
        const FeaturePlan plan = make_feature_plan(*feature, {clip[0].reference.format()}, {&defaults, 1}).value();
        const HostPicture earlier(clip[0].reference), reference(clip[1].reference), distorted(clip[1].distorted);
        const PictureWindow one{reference, distorted, {earlier}, {earlier}};
        const PictureWindow other{reference, earlier, {earlier}, {earlier}};
        EXPECT_EQ(words_of(plan, one) == words_of(plan, other), plan.sides == SideUse::reference) << feature->name;
    }
}

} // namespace
} // namespace isovmaf::testing::group_test
