// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/scores_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/report_signature.hpp"

namespace isovmaf {
namespace {

using ::testing::StartsWith;

Report report_of(const std::string &path) {
    Report report;
    report.version = "0.1.0";
    report.reference.path = "ref.mkv";
    report.distorted.path = path;
    report.distorted.codec = "h264";
    report.distorted.format.width = 64;
    report.distorted.format.height = 48;
    report.video_rate = 25;
    report.scores = {{"psnr_y", "vmaf", "vmaf_0001"},
                     {{0, {30, 90, 1}}, {1, {32, 94, 1}}, {2, {40, 99, 1}}},
                     {},
                     {"psnr", "vmaf", "vmaf"}};
    return report;
}

TEST(ScoresTable, CsvHasALineForEachSpanAndScore) {
    Report first = report_of("a,b.mkv"), second = report_of("c.mkv");
    first.distorted.bytes = 4000;
    first.distorted.bit_rate = 250'000;
    second.video_rate = 0;
    const std::vector<TableVideo> videos{{first, 1, {{0, 2}, {2, 1}}}, {second, 1, {}}};
    const std::string table = write_scores_table(videos, SpanKind::shot, TableFormat::csv, Precision::legacy);
    EXPECT_EQ(table,
              "video,codec,width,height,bytes,bit_rate,first_frame,last_frame,time,frames,score,min,max,mean,"
              "harmonic_mean,percentile_1,percentile_5,percentile_10,percentile_25,percentile_50,percentile_75,"
              "percentile_95,percentile_99\n"
              "\"a,b.mkv\",h264,64,48,4000,250000,0,1,0.000,2,vmaf,90.000000,94.000000,92.000000,91.956989,90.040000,"
              "90.200000,90.400000,91.000000,92.000000,93.000000,93.800000,93.960000\n"
              "\"a,b.mkv\",h264,64,48,4000,250000,0,1,0.000,2,psnr_y,30.000000,32.000000,31.000000,30.968750,30.020000,"
              "30.100000,30.200000,30.500000,31.000000,31.500000,31.900000,31.980000\n"
              "\"a,b.mkv\",h264,64,48,4000,250000,2,2,0.080,1,vmaf,99.000000,99.000000,99.000000,99.000000,99.000000,"
              "99.000000,99.000000,99.000000,99.000000,99.000000,99.000000,99.000000\n"
              "\"a,b.mkv\",h264,64,48,4000,250000,2,2,0.080,1,psnr_y,40.000000,40.000000,40.000000,40.000000,40.000000,"
              "40.000000,40.000000,40.000000,40.000000,40.000000,40.000000,40.000000\n" +
                  table.substr(table.find("c.mkv")));
    EXPECT_THAT(table.substr(table.find("c.mkv")), StartsWith("c.mkv,h264,64,48,,,0,2,,3,vmaf,90.000000,99.000000,"));
    EXPECT_TRUE(begins_like_report(table));
}

TEST(ScoresTable, JsonHasTheSame) {
    Report report = report_of("a.mkv");
    report.distorted.bit_rate = 250'000;
    report.incomplete = true;
    const std::vector<TableVideo> videos{{report, 1, {{0, 2}, {2, 1}}}};
    const std::string text = write_scores_table(videos, SpanKind::second, TableFormat::json, Precision::legacy);
    EXPECT_TRUE(begins_like_report(text));
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["per"], "second");
    const auto &video = json["videos"].at(0);
    EXPECT_EQ(video["video"], "a.mkv");
    EXPECT_EQ(video["bit_rate"], 250'000);
    EXPECT_EQ(video["incomplete"], true);
    ASSERT_EQ(video["spans"].size(), 2u);
    EXPECT_EQ(video["spans"][1]["time"], 0.08);
    EXPECT_EQ(video["spans"][0]["scores"]["vmaf"]["mean"], 92);
    EXPECT_EQ(video["spans"][0]["scores"].size(), 2u);
    const std::vector<TableVideo> whole{{report, 1, {}}};
    EXPECT_EQ(nlohmann::json::parse(write_scores_table(whole, {}, TableFormat::json, Precision::legacy))["per"],
              "video");
}

} // namespace
} // namespace isovmaf
