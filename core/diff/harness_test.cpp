// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/harness.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diff/testing/pictures_sample.hpp"
#include "report/report.hpp"

namespace isovmaf::diff::harness_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const VideoFormat format{.width = 35, .height = 33};
constexpr std::int64_t frames = 5;

Sides cpu_twice() { return {{{"cpu-ref", "cpu-ref"}, {"cpu", "cpu", {}, 0, 0, "scalar"}}, {}}; }

/// Six scores and six words a frame, and three scores of the whole video.
SessionOptions scoring() {
    SessionOptions options;
    options.scoring.features = {{"motion", {}}, {"psnr", {{"enable_apsnr", "true"}}}};
    return options;
}

constexpr std::int64_t values_of_frame = 6, words_of_frame = 6, values_of_video = 3;

Pictures pictures() { return sample_pictures(format, frames); }

/// The sides on the pictures, once.
DiffResult compare(const HarnessOptions &options, const Pictures &on, const SessionOptions &scored = scoring(),
                   const Sides &sides = cpu_twice()) {
    Harness harness(sides, options);
    harness.compare(on, scored);
    return std::move(harness).finish();
}

TEST(Harness, CountsWhatItCompared) {
    const DiffResult result = compare({}, pictures());
    EXPECT_EQ(result.verdict, Verdict::equal);
    EXPECT_EQ(result.failure, "");
    EXPECT_EQ(result.version, version());
    EXPECT_EQ(result.reference, "cpu-ref");
    EXPECT_EQ(result.cases, 1);
    EXPECT_EQ(result.frames, frames);
    EXPECT_EQ(result.values, frames * values_of_frame + values_of_video);
    EXPECT_EQ(result.words, frames * words_of_frame);
    EXPECT_EQ(result.different, 0);
    ASSERT_THAT(result.tallies, SizeIs(3));
    EXPECT_EQ(result.tallies[0].subject, "motion");
    EXPECT_EQ(result.tallies[1].subject, "psnr");
    EXPECT_EQ(result.tallies[2].subject, whole_video);
    ASSERT_THAT(result.strips, SizeIs(1));
    EXPECT_THAT(result.strips[0].worst, SizeIs(frames));
    EXPECT_THAT(result.findings, IsEmpty());
}

TEST(Harness, ProvesThatEverySideRan) {
    Sides sides = cpu_twice();
    sides.absent = {{"hip", "no driver"}};
    const DiffResult result = compare({.repeat = 3}, pictures(), scoring(), sides);
    ASSERT_THAT(result.proofs, SizeIs(2));
    for (const Proof &proof : result.proofs) {
        EXPECT_EQ(proof.execution.backend, proof.side);
        EXPECT_EQ(proof.runs, 3);
        EXPECT_EQ(proof.frames, 3 * frames);
    }
    EXPECT_EQ(result.proofs[1].side, "cpu");
    ASSERT_THAT(result.absent, SizeIs(1));
    EXPECT_EQ(result.absent[0].side, "hip");
}

TEST(Harness, RepeatingDoublesTheCounts) {
    const DiffResult once = compare({}, pictures()), twice = compare({.repeat = 2}, pictures());
    EXPECT_EQ(twice.cases, 1);
    EXPECT_EQ(twice.frames, 2 * once.frames);
    EXPECT_EQ(twice.values, 2 * once.values);
    EXPECT_EQ(twice.words, 2 * once.words);
    EXPECT_EQ(twice.verdict, Verdict::equal);
}

TEST(Harness, CasesAddUp) {
    std::vector<std::int64_t> steps;
    HarnessOptions options;
    options.step = [&](const DiffResult &so_far) { steps.push_back(so_far.cases); };
    Harness harness(cpu_twice(), options);
    EXPECT_TRUE(harness.compare(pictures(), scoring()));
    EXPECT_TRUE(harness.compare(sample_pictures({.width = 8, .height = 6, .bit_depth = 10}, 2), scoring()));
    const DiffResult result = std::move(harness).finish();
    EXPECT_THAT(steps, ElementsAre(1, 2));
    EXPECT_EQ(result.frames, frames + 2);
    EXPECT_EQ(result.values, (frames + 2) * values_of_frame + 2 * values_of_video);
}

TEST(Harness, StopsBetweenFrames) {
    int asked = 0;
    HarnessOptions options;
    options.stop = [&] { return ++asked > 3; };
    const DiffResult result = compare(options, sample_pictures(format, 1000));
    EXPECT_EQ(result.verdict, Verdict::equal);
    EXPECT_EQ(result.frames, 3);
}

TEST(Harness, NothingComparedIsNoSuccess) {
    const auto expect_nothing = [](const DiffResult &result) {
        EXPECT_EQ(result.verdict, Verdict::could_not_run);
        EXPECT_EQ(result.failure, "nothing was compared");
    };
    expect_nothing(Harness(cpu_twice(), {}).finish());
    expect_nothing(compare({}, pictures(), scoring(), {{{"cpu-ref", "cpu-ref"}}, {}}));
    expect_nothing(compare({}, sample_pictures(format, 0)));
    HarnessOptions stopped;
    stopped.stop = [] { return true; };
    expect_nothing(compare(stopped, pictures()));
}

TEST(Harness, PicturesThatCannotBeHadAreTold) {
    Pictures closed = pictures();
    closed.open = []() -> Result<PairStream> { return fail(ErrorCode::not_found, "no such file"); };
    Pictures broken = pictures();
    broken.open = []() -> Result<PairStream> {
        return [n = 0]() mutable -> Result<std::optional<FramePair>> {
            if (n++ == 2)
                return fail(ErrorCode::io, "the disk is gone");
            return GeneratedClip(format).frame(0);
        };
    };
    for (const auto &[on, message] : {std::pair(closed, "no such file"), std::pair(broken, "the disk is gone")}) {
        Harness harness(cpu_twice(), {});
        EXPECT_FALSE(harness.compare(on, scoring()));
        const DiffResult result = std::move(harness).finish();
        EXPECT_EQ(result.verdict, Verdict::could_not_run);
        EXPECT_EQ(result.failure, message);
    }
}

TEST(Harness, AFeatureThatDoesNotExistIsTold) {
    SessionOptions wrong = scoring();
    wrong.scoring.features.push_back({"sharpness", {}});
    const DiffResult result = compare({}, pictures(), wrong);
    EXPECT_EQ(result.verdict, Verdict::could_not_run);
    EXPECT_THAT(result.failure, AllOf(HasSubstr("cpu-ref: "), HasSubstr("sharpness")));
}

TEST(Harness, AFailureStaysThoughMoreIsEqual) {
    Harness harness(cpu_twice(), {});
    EXPECT_TRUE(harness.compare(pictures(), scoring()));
    harness.fail("the clip is missing");
    const DiffResult result = std::move(harness).finish();
    EXPECT_EQ(result.verdict, Verdict::could_not_run);
    EXPECT_EQ(result.failure, "the clip is missing");
    EXPECT_EQ(result.frames, frames) << "what was compared is told all the same";
}

/// What the CPU scores, as a report.
ScoreTable scores() {
    ScoreTable table;
    const LockstepVisitor visitor{
        .started = [&](const Session &session) { table.names = session.score_names(); },
        .frame = [&](const FrameOnSides &frame) { table.frames.push_back(frame.front()); },
        .ended = [&](const std::vector<EndOfSide> &ends) { table.aggregates = ends.front().aggregates; },
        .stop = [] { return false; },
    };
    EXPECT_FALSE(run_lockstep({{"cpu", "cpu"}}, scoring(), pictures(), visitor));
    return table;
}

StoredReport stored(const ScoreTable &table, Precision precision = Precision::max) {
    Report report;
    report.scores = table;
    return parse_stored_report(write_report(report, ReportFormat::json, precision), "scores").value();
}

DiffResult against(const StoredReport &report, HarnessOptions options = {}, const Sides &sides = cpu_twice()) {
    options.stored = "scores.json";
    Harness harness(sides, options);
    harness.compare(pictures(), scoring(), report);
    return std::move(harness).finish();
}

TEST(HarnessAgainstStored, EqualIsEqualOnEverySide) {
    const DiffResult result = against(stored(scores()));
    EXPECT_EQ(result.verdict, Verdict::equal) << result.failure;
    EXPECT_EQ(result.reference, "scores.json");
    EXPECT_EQ(result.cases, 1);
    EXPECT_EQ(result.frames, frames);
    constexpr std::int64_t statistics = 12;
    EXPECT_EQ(result.values, 2 * (frames * values_of_frame + statistics * values_of_frame + values_of_video));
    EXPECT_EQ(result.different, 0);
    EXPECT_THAT(result.absent, IsEmpty());
    EXPECT_EQ(against(stored(scores(), Precision::legacy)).verdict, Verdict::equal);
}

TEST(HarnessAgainstStored, OneBitDiffersOnEverySide) {
    ScoreTable table = scores();
    table.frames.at(3).scores[4] = std::nextafter(table.frames.at(3).scores[4], 0.0);
    const DiffResult result = against(stored(table));
    EXPECT_EQ(result.verdict, Verdict::differ);
    for (const Tally &counts : result.tallies)
        if (counts.subject == "psnr") {
            EXPECT_EQ(counts.different, 1);
            ASSERT_TRUE(counts.first);
            EXPECT_EQ(counts.first->frame, 3);
            EXPECT_EQ(counts.first->score, "psnr_cb");
            EXPECT_EQ(counts.first->content, "squares");
            EXPECT_EQ(counts.first->ulp, 1U);
        } else if (counts.subject == "motion") {
            EXPECT_EQ(counts.different, 0);
        }
}

TEST(HarnessAgainstStored, WhatDiffersIsLookedIntoOncePerSideAndFeature) {
    ScoreTable table = scores();
    for (const std::size_t n : {2U, 4U})
        table.frames.at(n).scores[3] += 1;
    const DiffResult result = against(stored(table), {.repeat = 2});
    ASSERT_THAT(result.findings, SizeIs(2));
    EXPECT_EQ(result.findings[0].side, "cpu-ref");
    EXPECT_EQ(result.findings[1].side, "cpu");
    for (const FeatureDifference &finding : result.findings) {
        EXPECT_EQ(finding.feature, "psnr");
        EXPECT_EQ(finding.frame, 2);
        EXPECT_THAT(finding.remark, HasSubstr("the cause lies in the report and not in a device"));
        EXPECT_EQ(finding.command, "");
    }
    EXPECT_THAT(result.findings[0].remark, HasSubstr("cpu-ref computes psnr by its definition, from which"));
    EXPECT_THAT(result.findings[1].remark, HasSubstr("in every frame cpu has the words of psnr that cpu-ref has"));
    EXPECT_THAT(against(stored(table), {.locate = false}).findings, IsEmpty());
}

TEST(HarnessAgainstStored, ASideWithoutTheDefinitionBesideItIsLookedInto) {
    ScoreTable table = scores();
    table.frames.at(2).scores[3] += 1;
    const DiffResult result = against(stored(table), {}, {{{"cpu", "cpu", {}, 0, 0, "scalar"}}, {}});
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_THAT(result.findings[0].remark, HasSubstr("cpu computes psnr by its definition, so there is no other"));
    EXPECT_THAT(result.findings[0].command, HasSubstr("--squares"));
}

TEST(HarnessAgainstStored, WhatIsNotComputedIsListedOnce) {
    ScoreTable table = scores();
    table.names.at(0) = "integer_vif_scale0";
    const DiffResult result = against(stored(table), {.repeat = 2});
    EXPECT_EQ(result.verdict, Verdict::equal);
    ASSERT_THAT(result.absent, SizeIs(1));
    EXPECT_EQ(result.absent[0].side, "integer_vif_scale0");
}

TEST(HarnessAgainstStored, NothingInCommonIsNoSuccess) {
    ScoreTable table = scores();
    for (std::string &name : table.names)
        name += "_of_something_else";
    table.aggregates.clear();
    const DiffResult result = against(stored(table));
    EXPECT_EQ(result.verdict, Verdict::could_not_run);
    EXPECT_THAT(result.failure, HasSubstr("psnr_y_of_something_else"));
}

TEST(HarnessAgainstStored, FailuresAreTold) {
    Harness harness(cpu_twice(), {.stored = "scores.json"});
    Pictures closed = pictures();
    closed.open = []() -> Result<PairStream> { return fail(ErrorCode::not_found, "no such file"); };
    EXPECT_FALSE(harness.compare(closed, scoring(), stored(scores())));
    const DiffResult result = std::move(harness).finish();
    EXPECT_EQ(result.verdict, Verdict::could_not_run);
    EXPECT_EQ(result.failure, "no such file");
}

} // namespace
} // namespace isovmaf::diff::harness_test
