// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "stored/stored_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report.hpp"

namespace isovmaf {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Frames 0 and 2, as libvmaf prints a run with every second frame.
constexpr const char *libvmaf_json = R"({
  "version": "3.0.0",
  "fps": 12.34,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "integer_motion2": 0.000000,
        "vmaf": 95.123457
      }
    },
    {
      "frameNum": 2,
      "metrics": {
        "vmaf": null
      }
    }
  ],
  "pooled_metrics": {
    "vmaf": {
      "min": 95.123457,
      "harmonic_mean": 95.123457
    }
  },
  "aggregate_metrics": {
    "apsnr_y": 40.500000
  }
}
)";

constexpr const char *libvmaf_xml = R"(<VMAF version="3.0.0">
  <params qualityWidth="576" qualityHeight="324" />
  <fyi fps="12.34" />
  <frames>
    <frame frameNum="0" integer_motion2="0.000000" vmaf="95.123457" />
    <frame frameNum="2" vmaf="-nan" />
  </frames>
  <pooled_metrics>
    <metric name="integer_motion2" min="0.000000" harmonic_mean="0.000000" />
    <metric name="vmaf" min="95.123457" harmonic_mean="95.123457" />
  </pooled_metrics>
  <aggregate_metrics apsnr_y="40.500000" />
</VMAF>
)";

constexpr const char *libvmaf_csv = "Frame,integer_motion2,vmaf,\n0,0.000000,95.123457,\n2,1.500000,nan,\n";

StoredReport parse(std::string_view text) {
    const Result<StoredReport> report = parse_stored_report(text, "scores");
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report.value_or(StoredReport());
}

std::string refusal(std::string_view text) {
    const Result<StoredReport> report = parse_stored_report(text, "scores");
    return report ? "accepted" : report.error().message;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

Report our_report() {
    Report report;
    report.version = "0.1.0";
    report.semantics = "libvmaf 3.2.0 (plain C)";
    report.options = {{"subsample", "2"}};
    report.models = {{"vmaf", "built in: vmaf_v0.6.1"}};
    report.incomplete = true;
    report.video_rate = 25; // times are no scores
    report.scores.names = {"integer_adm2", "1 odd, \"name\"\n<&>"};
    report.scores.frames = {{0, {1.0000001, 75.5}}, {2, {-0.0, 99.9999999}}};
    report.scores.aggregates = {{"apsnr_y", 40.1}};
    return report;
}

TEST(StoredReport, ReadsLibvmafsJson) {
    const StoredReport report = parse(libvmaf_json);
    EXPECT_EQ(report.writer, "libvmaf 3.0.0");
    EXPECT_EQ(report.style, NumberStyle::rounded);
    EXPECT_THAT(report.names, ElementsAre("integer_motion2", "vmaf"));
    ASSERT_EQ(report.frames.size(), 2u);
    EXPECT_EQ(report.frames[0].frame, 0);
    EXPECT_THAT(report.frames[0].texts, ElementsAre("0.000000", "95.123457"));
    EXPECT_EQ(report.frames[1].frame, 2);
    EXPECT_THAT(report.frames[1].texts, ElementsAre("", "null"));
    ASSERT_EQ(report.pooled.size(), 2u);
    EXPECT_EQ(report.pooled[1].name, "vmaf");
    EXPECT_EQ(report.pooled[1].statistic, "harmonic_mean");
    EXPECT_EQ(report.pooled[1].text, "95.123457");
    ASSERT_EQ(report.aggregates.size(), 1u);
    EXPECT_EQ(report.aggregates[0].name, "apsnr_y");
    EXPECT_EQ(report.aggregates[0].text, "40.500000");
}

TEST(StoredReport, ReadsLibvmafsXml) {
    const StoredReport report = parse(libvmaf_xml);
    EXPECT_EQ(report.writer, "libvmaf 3.0.0");
    EXPECT_EQ(report.style, NumberStyle::rounded);
    EXPECT_THAT(report.names, ElementsAre("integer_motion2", "vmaf"));
    ASSERT_EQ(report.frames.size(), 2u);
    EXPECT_THAT(report.frames[0].texts, ElementsAre("0.000000", "95.123457"));
    EXPECT_EQ(report.frames[1].frame, 2);
    EXPECT_THAT(report.frames[1].texts, ElementsAre("", "-nan"));
    EXPECT_EQ(report.pooled.size(), 4u);
    EXPECT_EQ(report.aggregates.size(), 1u);
}

TEST(StoredReport, ReadsXmlInAnyLayout) {
    const StoredReport report =
        parse("<?xml version='1.0' encoding='latin1'?>\n<!-- <frames> -->\n<VMAF incomplete='true' version='3.0.0'>"
              "<frames><frame vmaf='1.5' frameNum='0'>text</frame>"
              "<frame\n\tvmaf = \"&#50;.25\"\r\nframeNum='7'></frame></frames>"
              "<pooled_metrics><metric min='1.5' name='v&lt;&#x6d;&gt;&#10;&quot;'/></pooled_metrics></VMAF>\n");
    EXPECT_EQ(report.writer, "libvmaf 3.0.0");
    EXPECT_TRUE(report.incomplete);
    ASSERT_EQ(report.frames.size(), 2u);
    EXPECT_THAT(report.frames[0].texts, ElementsAre("1.5"));
    EXPECT_EQ(report.frames[1].frame, 7);
    EXPECT_THAT(report.frames[1].texts, ElementsAre("2.25"));
    ASSERT_EQ(report.pooled.size(), 1u);
    EXPECT_EQ(report.pooled[0].name, "v<m>\n\"");
}

TEST(StoredReport, ReadsCsv) {
    const StoredReport report = parse(libvmaf_csv);
    EXPECT_EQ(report.writer, "");
    EXPECT_EQ(report.style, NumberStyle::rounded);
    EXPECT_THAT(report.names, ElementsAre("integer_motion2", "vmaf"));
    ASSERT_EQ(report.frames.size(), 2u);
    EXPECT_EQ(report.frames[1].frame, 2);
    EXPECT_THAT(report.frames[1].texts, ElementsAre("1.500000", "nan"));
    const StoredReport ours = parse("Frame,integer_motion2,vmaf,Time\n0,0.000000,,0.000\n2,,nan,\n");
    EXPECT_THAT(ours.names, ElementsAre("integer_motion2", "vmaf"));
    EXPECT_THAT(ours.frames.at(0).texts, ElementsAre("0.000000", ""));
    EXPECT_THAT(parse("Frame,a,b\n2,1.000000,\n").frames.at(0).texts, ElementsAre("1.000000"));
    EXPECT_THAT(parse("Frame,a,b,\n2,1.000000,,\n").frames.at(0).texts, ElementsAre("1.000000"));
    EXPECT_THAT(parse("Frame,a\r\n0,0x1p-1\r\n").frames.at(0).texts, ElementsAre("0x1p-1")) << "as spreadsheets do";
}

TEST(StoredReport, ReadsWhatWeWrite) {
    const Report written = our_report();
    for (const ReportFormat format : {ReportFormat::json, ReportFormat::xml, ReportFormat::csv})
        for (const Precision precision : {Precision::legacy, Precision::max, Precision::hex}) {
            const StoredReport report = parse(write_report(written, format, precision));
            EXPECT_EQ(report.names, written.scores.names);
            EXPECT_EQ(report.style, precision == Precision::legacy ? NumberStyle::legacy : NumberStyle::exact);
            ASSERT_EQ(report.frames.size(), 2u);
            for (std::size_t n = 0; n < 2; n++) {
                EXPECT_EQ(report.frames[n].frame, written.scores.frames[n].frame);
                for (std::size_t i = 0; i < 2; i++)
                    EXPECT_TRUE(compare_stored_number(report.frames[n].texts[i], report.style,
                                                      written.scores.frames[n].scores[i])
                                    .equal);
            }
            EXPECT_TRUE(report.incomplete);
            if (format == ReportFormat::csv)
                continue;
            EXPECT_EQ(report.writer, "isovmaf 0.1.0");
            EXPECT_EQ(report.pooled.size(), 24u);
            EXPECT_EQ(report.aggregates.size(), 1u);
        }
}

TEST(StoredReport, TellsWhatOurJsonSaysOfItself) {
    const StoredReport report = parse(write_report(our_report(), ReportFormat::json, Precision::max));
    EXPECT_EQ(report.semantics, "libvmaf 3.2.0 (plain C)");
    EXPECT_EQ(report.options, our_report().options);
    EXPECT_EQ(report.models, our_report().models);
    EXPECT_FALSE(parse(libvmaf_json).incomplete);
}

TEST(StoredReport, PrecisionThatIsStatedCounts) {
    Report report = our_report();
    report.scores = {{"a"}, {{0, {0.5}}}, {}};
    EXPECT_EQ(parse(write_report(report, ReportFormat::json, Precision::legacy)).style, NumberStyle::legacy);
    report.scores = {{"a"}, {{0, {0.123}}}, {}};
    EXPECT_EQ(parse(write_report(report, ReportFormat::json, Precision::max)).style, NumberStyle::exact);
}

TEST(StoredReport, KeepsTheTextOfIntegers) {
    const StoredReport report =
        parse(R"({"frames":[{"frameNum":7,"metrics":{"a":-0,"b":60,"c":-3,"d":123456789012345678901234567890}}]})");
    EXPECT_THAT(report.frames.at(0).texts, ElementsAre("-0", "60", "-3", "123456789012345678901234567890"));
    EXPECT_EQ(report.frames[0].frame, 7);
}

TEST(StoredReport, RefusesJsonThatIsNone) {
    const std::string json = libvmaf_json;
    EXPECT_THAT(refusal(json.substr(0, 200)),
                AllOf(HasSubstr("cannot read the report scores: line "), HasSubstr("ends in the middle")));
    EXPECT_THAT(refusal(replaced(json, "\"fps\":", "\"fps\"")), HasSubstr("scores: line 3: no JSON"));
    EXPECT_THAT(refusal(replaced(json, "95.123457", "1e999")), HasSubstr("frames[0].metrics.vmaf: the number"));
}

TEST(StoredReport, RefusesJsonThatIsNoReport) {
    const std::string json = libvmaf_json;
    EXPECT_THAT(refusal("{}"), HasSubstr("no \"frames\""));
    EXPECT_THAT(refusal(R"({"frames": 3})"), HasSubstr("frames: it must be an array"));
    EXPECT_THAT(refusal(R"({"frames": [3]})"), HasSubstr("frames[0]: it must be an object"));
    EXPECT_THAT(refusal(R"({"frames": [{}]})"), HasSubstr("frames[0]: it must have"));
    EXPECT_THAT(refusal(R"({"frames": [], "frames": []})"), HasSubstr("frames: it stands twice"));
    EXPECT_THAT(refusal(replaced(json, "\"frameNum\": 2,", "")),
                HasSubstr("frames[1].metrics: it has no \"frameNum\""));
    EXPECT_THAT(refusal(replaced(json, "\"frameNum\": 2", "\"frameNum\": -2")), HasSubstr("frames[1].frameNum"));
    EXPECT_THAT(refusal(replaced(json, "\"frameNum\": 2", "\"frameNum\": 0")),
                HasSubstr("frame 0 comes after frame 0"));
    EXPECT_THAT(refusal(replaced(json, "\"integer_motion2\"", "\"vmaf\"")),
                HasSubstr("frames[0].metrics.vmaf: frame 0 has the score \"vmaf\" twice"));
    EXPECT_THAT(refusal(replaced(json, "null", "\"n/a\"")), HasSubstr("frames[1].metrics.vmaf: it must be a number"));
    EXPECT_THAT(refusal(replaced(json, "null", "true")), HasSubstr("frames[1].metrics.vmaf: it must be a number"));
    EXPECT_THAT(refusal(replaced(json, "null", "[1]")), HasSubstr("frames[1].metrics.vmaf: it must be a number"));
    EXPECT_THAT(refusal(replaced(json, "40.500000", "\"x\"")), HasSubstr("aggregate_metrics.apsnr_y: it must be"));
    EXPECT_THAT(refusal(replaced(json, "\"min\"", "\"harmonic_mean\"")),
                HasSubstr("pooled_metrics.vmaf.harmonic_mean: the harmonic_mean of \"vmaf\" stands twice"));
}

TEST(StoredReport, RefusesXmlWithItsLine) {
    const std::string xml = libvmaf_xml;
    EXPECT_THAT(refusal(xml.substr(0, 250)), HasSubstr("ends in the middle"));
    EXPECT_THAT(refusal(replaced(xml, "</frames>", "</frame>")), HasSubstr("line 7: </frame> ends what did not begin"));
    EXPECT_THAT(refusal(replaced(xml, "frameNum=\"2\"", "")), HasSubstr("line 6: <frame> has no frameNum"));
    EXPECT_THAT(refusal(replaced(xml, "\"-nan\"", "\"x\"")), HasSubstr("line 6: \"vmaf\" must be a number"));
    EXPECT_THAT(refusal(replaced(xml, "\"-nan\"", "1")), HasSubstr("line 6: an attribute must have a value"));
    EXPECT_THAT(refusal(replaced(xml, "integer_motion2=", "vmaf=")), HasSubstr("line 5: frame 0 has the score"));
    EXPECT_THAT(refusal(replaced(replaced(xml, "<VMAF", "<SSIM"), "</VMAF", "</SSIM")),
                HasSubstr("line 1: the outermost element must be VMAF, but is \"SSIM\""));
    EXPECT_THAT(refusal(replaced(xml, "<fyi", "<1fyi")), HasSubstr("line 3: no XML at \"1\""));
    EXPECT_THAT(refusal("<!-- VMAF -->"), HasSubstr("it has no element"));
    EXPECT_THAT(refusal(xml + std::string(1, '\0')), HasSubstr("line 14: no XML at a byte that is 0"));
    EXPECT_THAT(refusal("<VMAF version=\"3.0.0\"></VMAF>"), HasSubstr("no <frames>"));
    EXPECT_THAT(refusal(xml + xml), HasSubstr("a second document"));
}

TEST(StoredReport, RefusesCsvWithItsLine) {
    EXPECT_THAT(refusal("Frame,a,a,\n0,1,1,\n"), HasSubstr("line 1: there are two columns \"a\""));
    EXPECT_THAT(refusal("Frame,a,b,\n0,1.5,2.5,\n1,1.5,\n"), HasSubstr("line 3: there are 2 fields for 3 columns"));
    EXPECT_THAT(refusal("Frame,a,\n0,1.5,\n0,1.5,\n"), HasSubstr("line 3: frame 0 comes after frame 0"));
    EXPECT_THAT(refusal("Frame,a,\n0,x,\n"), HasSubstr("line 2: \"a\" must be a number"));
    EXPECT_THAT(refusal("Frame,a,\nx,1,\n"), HasSubstr("line 2: the first field must be the number of a frame"));
    EXPECT_THAT(refusal("Frame,\"a,\n0,1,\n"), HasSubstr("line 1: a quotation mark is not closed"));
    EXPECT_THAT(refusal("Frames,a,\n0,1,\n"), HasSubstr("line 1: the first column must be Frame"));
}

TEST(StoredReport, RefusesWhatIsNoReport) {
    EXPECT_THAT(refusal(""), HasSubstr("it is empty"));
    EXPECT_THAT(refusal("{0}{1}frame: 0|vmaf: 95.123457|\n"), HasSubstr("subtitles cannot be compared"));
    EXPECT_THAT(refusal("vmaf: 95"), HasSubstr("no report in JSON, XML or CSV"));
    const Result<StoredReport> missing = read_stored_report("/nonexistent/report.json");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    EXPECT_THAT(missing.error().message, AllOf(HasSubstr("/nonexistent/report.json"), HasSubstr("No such file")));
    const Result<StoredReport> folder = read_stored_report("/");
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error().message, HasSubstr("Is a directory"));
}

} // namespace
} // namespace isovmaf
