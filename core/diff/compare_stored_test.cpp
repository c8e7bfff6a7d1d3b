// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/compare_stored.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report.hpp"
#include "stored/stored_golden.hpp"

namespace isovmaf::diff::compare_stored_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ScoreTable scores() {
    return {{"integer_motion2", "vmaf"},
            {{0, {0.0, 75.5}}, {2, {1.25, 95.1234567}}, {4, {3.1, 80.0}}},
            {{"apsnr_y", 40.1}}};
}

StoredReport stored(const ScoreTable &table, Precision precision = Precision::max) {
    Report report;
    report.scores = table;
    return parse_stored_report(write_report(report, ReportFormat::json, precision), "scores").value();
}

/// Everything that differs, as text.
std::vector<std::string> differences(const StoredReport &report, const ScoreTable &computed) {
    std::vector<std::string> found;
    const auto note = [&](const StoredValue &value) {
        if (!value.comparison.equal)
            found.push_back(std::string(value.name) + " " + std::string(value.statistic) + "@" +
                            std::to_string(value.frame) + " " + std::to_string(value.comparison.ulp));
    };
    EXPECT_TRUE(compare_stored(report, computed, note));
    return found;
}

StoredCoverage coverage(const StoredReport &report, const ScoreTable &computed) {
    return compare_stored(report, computed, [](const StoredValue &) {}).value();
}

TEST(CompareStored, EverythingThatWasWrittenIsCompared) {
    for (const Precision precision : {Precision::legacy, Precision::max, Precision::hex}) {
        const StoredCoverage all = coverage(stored(scores(), precision), scores());
        EXPECT_EQ(all.values, 3 * 2 + 2 * 12 + 1);
        EXPECT_EQ(all.different, 0);
        EXPECT_THAT(all.scores, ElementsAre("integer_motion2", "vmaf"));
        EXPECT_THAT(all.not_computed, IsEmpty());
        EXPECT_THAT(all.not_stored, IsEmpty());
        EXPECT_TRUE(all.totals_compared);
    }
}

TEST(CompareStored, OneBitIsADifference) {
    ScoreTable computed = scores();
    computed.frames[1].scores[1] = std::nextafter(computed.frames[1].scores[1], 0.0);
    computed.aggregates[0].second = std::nextafter(40.1, 50.0);
    EXPECT_THAT(differences(stored(scores()), computed),
                ElementsAre("vmaf @2 1", "vmaf max@-1 1", "vmaf percentile_75@-1 1", "vmaf percentile_95@-1 2",
                            "vmaf percentile_99@-1 2", "apsnr_y @-1 1"))
        << "the mean rounds to the same";
    EXPECT_THAT(differences(stored(scores(), Precision::legacy), computed), IsEmpty());
    EXPECT_EQ(coverage(stored(scores()), computed).different, 6);
}

TEST(CompareStored, ListsWhatOnlyOneSideHas) {
    ScoreTable computed = scores();
    computed.names[0] = "psnr_y";
    computed.aggregates[0].first = "apsnr_cb";
    const StoredCoverage part = coverage(stored(scores()), computed);
    EXPECT_THAT(part.scores, ElementsAre("vmaf"));
    EXPECT_THAT(part.not_computed, ElementsAre("integer_motion2", "apsnr_y"));
    EXPECT_THAT(part.not_stored, ElementsAre("psnr_y", "apsnr_cb"));
    EXPECT_EQ(part.values, 3 + 12);
}

TEST(CompareStored, OtherFramesMakeOtherTotals) {
    ScoreTable computed = scores();
    computed.frames[2].frame = 3;
    const StoredCoverage part = coverage(stored(scores()), computed);
    EXPECT_THAT(part.frames_not_computed, ElementsAre(4));
    EXPECT_THAT(part.frames_not_stored, ElementsAre(3));
    EXPECT_FALSE(part.totals_compared);
    EXPECT_EQ(part.values, 2 * 2);
}

TEST(CompareStored, AScoreThatNoCommonFrameHasIsListed) {
    StoredReport report = stored(scores());
    for (StoredFrame &frame : report.frames)
        frame.texts[0].clear();
    const StoredCoverage part = coverage(report, scores());
    EXPECT_EQ(part.gaps, 3);
    EXPECT_THAT(part.scores, ElementsAre("vmaf"));
    EXPECT_THAT(part.not_computed, ElementsAre("integer_motion2"));
}

TEST(CompareStored, AnUnknownStatisticIsListed) {
    StoredReport report = stored(scores());
    report.pooled.push_back({"vmaf", "median", "80.0"});
    EXPECT_THAT(coverage(report, scores()).not_computed, ElementsAre("median of vmaf"));
}

TEST(CompareStored, NothingInCommonIsAnError) {
    const auto refusal = [](const ScoreTable &computed) {
        const auto result = compare_stored(stored(scores()), computed, [](const StoredValue &) {});
        return result ? "compared" : result.error().message;
    };
    ScoreTable other = scores();
    other.names = {"a", "b"};
    other.aggregates.clear();
    EXPECT_THAT(refusal(other), AllOf(HasSubstr("has integer_motion2, vmaf"), HasSubstr("computed were a, b")));
    ScoreTable later = scores();
    for (FrameScores &frame : later.frames)
        frame.frame += 100;
    EXPECT_THAT(refusal(later), HasSubstr("of the report's 3 frames and the 3 that were computed, none"));
}

class GoldenAsStored : public ::testing::Test {
  protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string &text) const {
        std::ofstream(folder_ / "file.json") << text;
        return folder_ / "file.json";
    }

  private:
    std::filesystem::path folder_ =
        std::filesystem::path(::testing::TempDir()) / ("isovmaf-golden-" + std::to_string(::getpid()));
};

TEST_F(GoldenAsStored, AreToldFromReports) {
    EXPECT_TRUE(is_golden_file(write(R"({"about": "clip", "clips": []})")));
    EXPECT_TRUE(is_golden_file(write(R"({"clip": {}, "frames": []})")));
    EXPECT_FALSE(is_golden_file(write(R"({"version": "3.0.0", "frames": [{"clip": 1}]})")));
    EXPECT_FALSE(is_golden_file(write(R"([{"clip": 1}])")));
    EXPECT_FALSE(is_golden_file(write("Frame,clip,\n")));
    EXPECT_FALSE(is_golden_file(write("")));
    EXPECT_FALSE(is_golden_file("/nonexistent/golden.json"));
    EXPECT_FALSE(is_golden_file("/"));
}

TEST_F(GoldenAsStored, MalformedOnesAreNamed) {
    const auto result = read_golden_file(write(R"({"clips": [{"width": 3}]})"), "");
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("file.json: "));
    EXPECT_FALSE(read_golden_file("/nonexistent/golden.json", ""));
}

TEST_F(GoldenAsStored, KeepTheirBits) {
    const auto clips = read_golden_file(write(R"({"clips": [{"width": 32, "height": 16, "bits": 8, "chroma": 420,
        "frames": 2, "sha256_ref": "", "features": {"motion": {"motion2": ["0x0p+0", "0x1.999999999999ap-4"]}},
        "models": {}}]})"),
                                        "");
    ASSERT_TRUE(clips) << clips.error().message;
    const StoredReport report = stored_report(clips->front());
    EXPECT_EQ(report.writer, "libvmaf 3.2");
    ScoreTable computed{{"integer_motion2"}, {{0, {0.0}}, {1, {0.1}}}, {}};
    EXPECT_EQ(coverage(report, computed).different, 0);
    computed.frames[1].scores[0] = std::nextafter(0.1, 1.0);
    EXPECT_EQ(coverage(report, computed).different, 1);
}

} // namespace
} // namespace isovmaf::diff::compare_stored_test
