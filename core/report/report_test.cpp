// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report.hpp"

#include <bit>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace isovmaf {
namespace {

using Json = nlohmann::ordered_json;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Two frames of a run with --subsample 2.
Report tiny_report() {
    Report report;
    report.version = "0.1.0";
    report.semantics = "libvmaf 3.2.0 (plain C)";
    report.reference = {"ref.y4m", "y4m", "rawvideo", {.width = 576, .height = 324}};
    report.distorted = {"dis.mkv", "matroska,webm", "ffv1", {480, 270, Chroma::k422, 10}};
    report.distorted.stream = "v:1";
    report.distorted.pixel_format = "yuv422p10le";
    report.distorted.colour = {{"range", "full"}, {"matrix", ""}};
    report.distorted.conversions = {"range from \"limited\" to full"};
    report.distorted.ffmpeg_command = "ffmpeg -i \"dis.mkv\" -f rawvideo -";
    report.distorted.decoder = "a \"GPU\", driver 1; equal to software in 16 pictures";
    report.resize = "dis:bicubic";
    report.notes = {"two videos"};
    report.warnings = {{PairWarning::lengths, "\"ref.y4m\" is longer"}};
    report.sync = {.mode = "pts", .offset = -2, .tolerance_seconds = 0.02, .dropped = {5, 9}};
    report.options = {{"subsample", "2"}};
    report.models = {{"vmaf", "built in: vmaf_v0.6.1"}};
    report.scores.names = {"integer_adm2", "vmaf"};
    report.execution.placement = {{"adm", "cpu", "definition"}};
    report.scores.frames = {{0, {1.0000001, 75.5}}, {2, {0.5, 99.9999999}}};
    report.scores.aggregates = {{"apsnr_y", 40}};
    return report;
}

Report report_of(ScoreTable scores) {
    Report report;
    report.scores = std::move(scores);
    return report;
}

constexpr const char *tiny_json_legacy = R"text({
  "version": "0.1.0",
  "fps": 0.00,
  "isovmaf": {
    "version": "0.1.0",
    "semantics": "libvmaf 3.2.0 (plain C)",
    "backend": "cpu",
    "plugin": null,
    "device": "host CPU",
    "placement": {
      "adm": {
        "backend": "cpu",
        "code": "definition"
      }
    },
    "reference": {
      "path": "ref.y4m",
      "container": "y4m",
      "codec": "rawvideo",
      "width": 576,
      "height": 324,
      "pixel_format": "420",
      "bitdepth": 8,
      "stream": null,
      "stored_pixel_format": null,
      "colour": {},
      "conversions": [],
      "ffmpeg_command": null
    },
    "distorted": {
      "path": "dis.mkv",
      "container": "matroska,webm",
      "codec": "ffv1",
      "width": 480,
      "height": 270,
      "pixel_format": "422",
      "bitdepth": 10,
      "stream": "v:1",
      "stored_pixel_format": "yuv422p10le",
      "colour": {
        "range": "full",
        "matrix": null
      },
      "conversions": [
        "range from \"limited\" to full"
      ],
      "ffmpeg_command": "ffmpeg -i \"dis.mkv\" -f rawvideo -",
      "decoder": "a \"GPU\", driver 1; equal to software in 16 pictures"
    },
    "resize": "dis:bicubic",
    "notes": [
      "two videos"
    ],
    "warnings": [
      {
        "kind": "lengths",
        "text": "\"ref.y4m\" is longer"
      }
    ],
    "sync": {
      "mode": "pts",
      "offset": -2,
      "tolerance_seconds": 0.020000,
      "dropped": 2,
      "repeated": 0,
      "dropped_frames": [
        5,
        9
      ],
      "repeated_frames": [],
      "hint": null
    },
    "options": {
      "subsample": "2"
    },
    "models": {
      "vmaf": "built in: vmaf_v0.6.1"
    },
    "precision": "legacy",
    "incomplete": false
  },
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "integer_adm2": 1.0000001000000001,
        "vmaf": 75.500000
      }
    },
    {
      "frameNum": 2,
      "metrics": {
        "integer_adm2": 0.500000,
        "vmaf": 100.000000
      }
    }
  ],
  "pooled_metrics": {
    "integer_adm2": {
      "min": 0.500000,
      "max": 1.0000001000000001,
      "mean": 0.750000,
      "harmonic_mean": 0.714286,
      "percentile_1": 0.505000,
      "percentile_5": 0.525000,
      "percentile_10": 0.550000,
      "percentile_25": 0.625000,
      "percentile_50": 0.750000,
      "percentile_75": 0.875000,
      "percentile_95": 0.975000,
      "percentile_99": 0.995000
    },
    "vmaf": {
      "min": 75.500000,
      "max": 100.000000,
      "mean": 87.750000,
      "harmonic_mean": 86.059155,
      "percentile_1": 75.745000,
      "percentile_5": 76.725000,
      "percentile_10": 77.950000,
      "percentile_25": 81.625000,
      "percentile_50": 87.750000,
      "percentile_75": 93.875000,
      "percentile_95": 98.775000,
      "percentile_99": 99.755000
    }
  },
  "aggregate_metrics": {
    "apsnr_y": 40.000000
  }
}
)text";

TEST(Report, Json) { EXPECT_EQ(write_report(tiny_report(), ReportFormat::json, Precision::legacy), tiny_json_legacy); }

TEST(Report, JsonOfNothingIsStillAReport) {
    EXPECT_EQ(write_report({}, ReportFormat::json, Precision::max), R"({
  "version": "",
  "fps": 0.00,
  "isovmaf": {
    "version": "",
    "semantics": "",
    "backend": "cpu",
    "plugin": null,
    "device": "host CPU",
    "placement": {},
    "reference": {
      "path": "",
      "container": "",
      "codec": "",
      "width": 0,
      "height": 0,
      "pixel_format": "420",
      "bitdepth": 8,
      "stream": null,
      "stored_pixel_format": null,
      "colour": {},
      "conversions": [],
      "ffmpeg_command": null
    },
    "distorted": {
      "path": "",
      "container": "",
      "codec": "",
      "width": 0,
      "height": 0,
      "pixel_format": "420",
      "bitdepth": 8,
      "stream": null,
      "stored_pixel_format": null,
      "colour": {},
      "conversions": [],
      "ffmpeg_command": null
    },
    "resize": null,
    "notes": [],
    "warnings": [],
    "sync": {
      "mode": "index",
      "offset": 0,
      "hint": null
    },
    "options": {},
    "models": {},
    "precision": "max",
    "incomplete": false
  },
  "frames": [],
  "pooled_metrics": {},
  "aggregate_metrics": {}
}
)");
}

TEST(Report, JsonSaysWhereScoresComeFrom) {
    Report report = tiny_report();
    report.resize.clear();
    report.incomplete = true;
    report.fps = 30.256;
    const Json json = Json::parse(write_report(report, ReportFormat::json, Precision::hex));
    EXPECT_EQ(json["fps"], 30.26);
    EXPECT_EQ(json["isovmaf"]["resize"], nullptr);
    EXPECT_EQ(json["isovmaf"]["incomplete"], true);
    EXPECT_EQ(json["isovmaf"]["precision"], "hex");
}

TEST(Report, JsonNamesTheFactsThatFeaturesUse) {
    Report report = tiny_report();
    EXPECT_FALSE(Json::parse(write_report(report, ReportFormat::json, Precision::max))["isovmaf"].contains("facts"));
    report.facts = {{"x", "frame_rate", "59.94", UsedFact::from_distorted, "\"fast\""},
                    {"y", "frame_rate", "25", UsedFact::nobody, ""}};
    const Json json = Json::parse(write_report(report, ReportFormat::json, Precision::max));
    EXPECT_EQ(json["isovmaf"]["facts"], Json::parse(R"([
        {"feature": "x", "option": "frame_rate", "value": 59.94, "source": "distorted video", "meaning": "\"fast\""},
        {"feature": "y", "option": "frame_rate", "value": 25, "source": "assumed", "meaning": null}])"));
}

TEST(Report, JsonProvesExecutionOnADevice) {
    Report report = tiny_report();
    report.execution = {
        .backend = "hip",
        .plugin = "/usr/lib/isovmaf/libvmaf_hip.so",
        .build_id = "c0ffee",
        .device = "AMD Instinct MI300X",
        .arch = "gfx942",
        .runtime = "libamdhip64.so.6 6.2",
        .driver = "6.8",
        .frames_in_flight = 8,
        .queues = 3,
        .work = {{"vif", 24, 3.25}},
        .memory = {.allocated = 1, .allocated_peak = 2, .reserved = 3, .reserved_peak = 4, .pinned = 5}};
    const auto written = [&] {
        return Json::parse(write_report(report, ReportFormat::json, Precision::max))["isovmaf"];
    };
    EXPECT_EQ(written()["backend"], "hip");
    EXPECT_EQ(written()["plugin"], report.execution.plugin);
    EXPECT_EQ(written()["device"], "AMD Instinct MI300X");
    EXPECT_EQ(written()["execution"], Json::parse(R"({"build_id": "c0ffee", "arch": "gfx942", "pci_id": null,
        "runtime": "libamdhip64.so.6 6.2", "driver": "6.8", "frames_in_flight": 8, "queues": 3,
        "features": {"vif": {"kernel_launches": 24}},
        "memory_bytes": {"allocated": 1, "allocated_peak": 2, "reserved": 3, "reserved_peak": 4, "pinned": 5}})"));
    report.timing = true;
    EXPECT_EQ(written()["execution"]["features"]["vif"]["device_milliseconds"], 3.25);
}

TEST(Report, TellsOfFlaggedFrames) {
    Report report = tiny_report();
    report.execution.plugin = "/usr/lib/isovmaf/libvmaf_hip.so";
    report.execution.work = {{"vif", 24}, {"cambi", 12}};
    const std::string plain_xml = write_report(report, ReportFormat::xml, Precision::max);
    report.execution.work[1].flagged = 2;
    const Json json = Json::parse(write_report(report, ReportFormat::json, Precision::max));
    EXPECT_EQ(json["isovmaf"]["execution"]["features"]["cambi"]["flagged_frames"], 2);
    EXPECT_FALSE(json["isovmaf"]["execution"]["features"]["vif"].contains("flagged_frames"));
    std::string xml = write_report(report, ReportFormat::xml, Precision::max);
    const std::string note = "    <note text=\"kernels of cambi left 2 frames to the CPU\" />\n";
    ASSERT_NE(xml.find(note), std::string::npos) << xml;
    EXPECT_EQ(xml.erase(xml.find(note), note.size()), plain_xml);
}

TEST(Report, JsonNumbersInFullPrecision) {
    const auto frame = [](Precision precision) {
        const Json json = Json::parse(write_report(tiny_report(), ReportFormat::json, precision));
        return json["frames"][1]["metrics"].dump();
    };
    EXPECT_EQ(frame(Precision::max), R"({"integer_adm2":0.5,"vmaf":99.9999999})");
    EXPECT_EQ(frame(Precision::hex), R"({"integer_adm2":"0x1p-1","vmaf":"0x1.8ffffff94a036p+6"})");
}

TEST(Report, JsonScoresReadBackBitForBit) {
    ScoreTable scores{.names = {"a"}, .frames = {}, .aggregates = {}};
    for (const double value : {0.1, -0.0, 100.0, 1e300, 5e-324, 76.66890511905297})
        scores.frames.push_back({static_cast<std::int64_t>(scores.frames.size()), {value}});
    const Report report = report_of(scores);
    const Json max = Json::parse(write_report(report, ReportFormat::json, Precision::max));
    const Json hex = Json::parse(write_report(report, ReportFormat::json, Precision::hex));
    for (std::size_t i = 0; i < scores.frames.size(); i++) {
        const auto bits = std::bit_cast<std::uint64_t>(scores.frames[i].scores[0]);
        const auto &decimal = max["frames"][i]["metrics"]["a"];
        EXPECT_TRUE(decimal.is_number_float());
        EXPECT_EQ(std::bit_cast<std::uint64_t>(decimal.get<double>()), bits);
        const std::string text = hex["frames"][i]["metrics"]["a"];
        EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)), bits);
    }
}

TEST(Report, JsonIsValidWhateverTheNames) {
    Report report = tiny_report();
    report.reference.path = "a \"quoted\"\\path\n\x01 of \xFF\xC3\xA4 bytes";
    report.options = {{"a\"b", "\xED\xA0\x80"}};
    report.scores.names[0] = "\"\\";
    const Json json = Json::parse(write_report(report, ReportFormat::json, Precision::max));
    EXPECT_EQ(json["isovmaf"]["reference"]["path"], "a \"quoted\"\\path\n\x01 of \xEF\xBF\xBD\xC3\xA4 bytes");
    EXPECT_TRUE(json["isovmaf"]["options"].contains("a\"b"));
    EXPECT_EQ(json["frames"][0]["metrics"]["\"\\"], 1.0000001);
    EXPECT_TRUE(json["pooled_metrics"].contains("\"\\"));
}

TEST(Report, JsonHasNullForWhatIsNotFinite) {
    Report report = report_of({{"a", "b"}, {{0, {inf, nan}}}, {{"c", -inf}}});
    report.fps = inf;
    for (const Precision precision : {Precision::legacy, Precision::max, Precision::hex}) {
        const Json json = Json::parse(write_report(report, ReportFormat::json, precision));
        EXPECT_EQ(json["fps"], nullptr);
        EXPECT_EQ(json["frames"][0]["metrics"].dump(), R"({"a":null,"b":null})");
        EXPECT_EQ(json["pooled_metrics"]["b"]["percentile_1"], nullptr);
        EXPECT_EQ(json["aggregate_metrics"]["c"], nullptr);
    }
}

TEST(Report, Xml) {
    EXPECT_EQ(
        write_report(tiny_report(), ReportFormat::xml, Precision::legacy),
        R"(<VMAF version="0.1.0">
  <params qualityWidth="576" qualityHeight="324" />
  <fyi fps="0.00" />
  <frames>
    <frame frameNum="0" integer_adm2="1.0000001000000001" vmaf="75.500000" />
    <frame frameNum="2" integer_adm2="0.500000" vmaf="100.000000" />
  </frames>
  <pooled_metrics>
    <metric name="integer_adm2" min="0.500000" max="1.0000001000000001" mean="0.750000" harmonic_mean="0.714286")"
        R"( percentile_1="0.505000" percentile_5="0.525000" percentile_10="0.550000" percentile_25="0.625000")"
        R"( percentile_50="0.750000" percentile_75="0.875000" percentile_95="0.975000" percentile_99="0.995000" />
    <metric name="vmaf" min="75.500000" max="100.000000" mean="87.750000" harmonic_mean="86.059155")"
        R"( percentile_1="75.745000" percentile_5="76.725000" percentile_10="77.950000" percentile_25="81.625000")"
        R"( percentile_50="87.750000" percentile_75="93.875000" percentile_95="98.775000" percentile_99="99.755000" />
  </pooled_metrics>
  <aggregate_metrics apsnr_y="40.000000" />
  <videos>
    <reference path="ref.y4m" container="y4m" codec="rawvideo" width="576" height="324" pixel_format="420" bitdepth="8" />
    <distorted path="dis.mkv" container="matroska,webm" codec="ffv1" width="480" height="270" pixel_format="422")"
        R"( bitdepth="10" stream="v:1" stored_pixel_format="yuv422p10le" range="full" />
    <warning kind="lengths" text="&quot;ref.y4m&quot; is longer" />
    <note text="two videos" />
  </videos>
</VMAF>
)");
}

TEST(Report, XmlMarksAnIncompleteRunAndTheScoredSize) {
    Report report = report_of({{}, {}, {}});
    report.version = "<\"&\">";
    report.resize = "ref:lanczos";
    report.reference.path = "\"<a>&\x01";
    report.reference.colour = {{"path", "<"}};
    report.distorted.format = {.width = 31, .height = 17};
    report.incomplete = true;
    report.fps = 12.3456;
    EXPECT_EQ(write_report(report, ReportFormat::xml, Precision::max),
              R"(<VMAF version="&lt;&quot;&amp;&quot;&gt;" incomplete="true">
  <params qualityWidth="31" qualityHeight="17" />
  <fyi fps="12.35" />
  <frames>
  </frames>
  <pooled_metrics>
  </pooled_metrics>
  <aggregate_metrics />
  <videos>
    <reference path="&quot;&lt;a&gt;&amp;�" width="0" height="0" pixel_format="420" bitdepth="8" path_="&lt;" />
    <distorted path="" width="31" height="17" pixel_format="420" bitdepth="8" />
  </videos>
</VMAF>
)");
}

TEST(Report, XmlAttributesAreDistinctNames) {
    const Report report = report_of({{"frameNum", "my model", "my<model", "1\"&"}, {{7, {inf, -inf, nan, 1}}}, {}});
    const std::string xml = write_report(report, ReportFormat::xml, Precision::hex);
    EXPECT_NE(xml.find(R"(<frame frameNum="7" frameNum_="inf" my_model="-inf" my_model_="nan" _1__="0x1p+0" />)"),
              std::string::npos)
        << xml;
    EXPECT_NE(xml.find(R"(<metric name="my&lt;model" min="nan")"), std::string::npos) << xml;
    EXPECT_NE(xml.find(R"(<metric name="1&quot;&amp;" )"), std::string::npos) << xml;
}

TEST(Report, Csv) {
    const Report report = tiny_report();
    EXPECT_EQ(write_report(report, ReportFormat::csv, Precision::legacy), "Frame,integer_adm2,vmaf\n"
                                                                          "0,1.0000001000000001,75.500000\n"
                                                                          "2,0.500000,100.000000\n");
    EXPECT_EQ(write_report(report, ReportFormat::csv, Precision::max), "Frame,integer_adm2,vmaf\n"
                                                                       "0,1.0000001,75.5\n"
                                                                       "2,0.5,99.9999999\n");
    EXPECT_EQ(write_report(report, ReportFormat::csv, Precision::hex), "Frame,integer_adm2,vmaf\n"
                                                                       "0,0x1.000001ad7f29bp+0,0x1.2ep+6\n"
                                                                       "2,0x1p-1,0x1.8ffffff94a036p+6\n");
}

TEST(Report, HasTheTimesOfFramesWhenTheRateIsKnown) {
    Report report = tiny_report();
    report.video_rate = 25;
    report.first_frame = 1;
    const std::string json = write_report(report, ReportFormat::json, Precision::legacy);
    EXPECT_NE(json.find("\"frameNum\": 2,\n      \"time\": 0.120,\n      \"metrics\""), std::string::npos) << json;
    EXPECT_EQ(write_report(report, ReportFormat::csv, Precision::legacy), "Frame,integer_adm2,vmaf,Time\n"
                                                                          "0,1.0000001000000001,75.500000,0.040\n"
                                                                          "2,0.500000,100.000000,0.120\n");
}

TEST(Report, EndsWithAMarkWhenIncomplete) {
    Report report = tiny_report();
    report.incomplete = true;
    const std::string csv = write_report(report, ReportFormat::csv, Precision::legacy);
    EXPECT_TRUE(csv.ends_with(",100.000000\n# incomplete: the run was interrupted\n")) << csv;
    const std::string sub = write_report(report, ReportFormat::sub, Precision::legacy);
    EXPECT_TRUE(sub.ends_with("100.000000|\n{3}{4}incomplete: the run was interrupted|\n")) << sub;
}

TEST(Report, LayoutOfLibvmafHasNothingElse) {
    Report report = report_of({{"a"}, {{0, {1}}, {1, {3}}}, {}});
    report.layout = ReportLayout::libvmaf;
    report.version = "3.2.0";
    EXPECT_EQ(write_report(report, ReportFormat::json, Precision::legacy), R"({
  "version": "3.2.0",
  "fps": 0.00,
  "frames": [
    {
      "frameNum": 0,
      "metrics": {
        "a": 1.000000
      }
    },
    {
      "frameNum": 1,
      "metrics": {
        "a": 3.000000
      }
    }
  ],
  "pooled_metrics": {
    "a": {
      "min": 1.000000,
      "max": 3.000000,
      "mean": 2.000000,
      "harmonic_mean": 1.666667
    }
  },
  "aggregate_metrics": {
  }
}
)");
    const std::string xml = write_report(report, ReportFormat::xml, Precision::legacy);
    EXPECT_NE(xml.find(R"(mean="2.000000" harmonic_mean="1.666667" />)"), std::string::npos);
    EXPECT_EQ(xml.find("<videos>"), std::string::npos);
    report.scores = {};
    EXPECT_NE(write_report(report, ReportFormat::json, Precision::legacy).find("\"frames\": [\n  ],\n"),
              std::string::npos);
}

/// Two columns, of which the second lacks the score of the first frame.
Report sparse_report() {
    Report report = report_of({{"a", "b"}, {{2, {1, nan}}, {3, {3, 0.5}}}, {}});
    report.layout = ReportLayout::libvmaf;
    report.version = "3.2.0";
    report.sparse = SparseScores{{{true, false}, {true, true}}, {pool_column(report.scores, 0), std::nullopt}};
    return report;
}

TEST(Report, MissingScoresAreLeftOut) {
    Report report = sparse_report();
    EXPECT_EQ(write_report(report, ReportFormat::csv, Precision::legacy),
              "Frame,a,b,\n2,1.000000,,\n3,3.000000,0.500000,\n");
    report.layout = ReportLayout::isovmaf;
    EXPECT_EQ(write_report(report, ReportFormat::csv, Precision::legacy),
              "Frame,a,b\n2,1.000000,\n3,3.000000,0.500000\n");
    report.layout = ReportLayout::libvmaf;
    EXPECT_EQ(write_report(report, ReportFormat::sub, Precision::legacy),
              "{2}{3}frame: 2|a: 1.000000|\n{3}{4}frame: 3|a: 3.000000|b: 0.500000|\n");
    const std::string xml = write_report(report, ReportFormat::xml, Precision::legacy);
    EXPECT_NE(xml.find("<frame frameNum=\"2\" a=\"1.000000\" />"), std::string::npos);
    EXPECT_NE(xml.find("<metric name=\"b\" />"), std::string::npos);
    const Json json = Json::parse(write_report(report, ReportFormat::json, Precision::legacy));
    EXPECT_EQ(json["frames"][0]["metrics"].dump(), R"({"a":1.0})");
    EXPECT_EQ(json["frames"][1]["metrics"].size(), 2u);
    EXPECT_EQ(json["pooled_metrics"]["a"]["mean"], 2);
    EXPECT_EQ(json["pooled_metrics"]["b"].dump(), "{}");
}

TEST(Report, CsvQuotesNamesThatNeedIt) {
    const Report report = report_of({{"a,b", "c\"d"}, {{0, {nan, -inf}}}, {}});
    EXPECT_EQ(write_report(report, ReportFormat::csv, Precision::max), "Frame,\"a,b\",\"c\"\"d\"\n0,nan,-inf\n");
}

TEST(Report, Sub) {
    const Report report = tiny_report();
    EXPECT_EQ(write_report(report, ReportFormat::sub, Precision::legacy),
              "{0}{1}frame: 0|integer_adm2: 1.0000001000000001|vmaf: 75.500000|\n"
              "{2}{3}frame: 2|integer_adm2: 0.500000|vmaf: 100.000000|\n");
    EXPECT_EQ(write_report(report, ReportFormat::sub, Precision::max),
              "{0}{1}frame: 0|integer_adm2: 1.0000001|vmaf: 75.5|\n"
              "{2}{3}frame: 2|integer_adm2: 0.5|vmaf: 99.9999999|\n");
    EXPECT_EQ(write_report(report, ReportFormat::sub, Precision::hex),
              "{0}{1}frame: 0|integer_adm2: 0x1.000001ad7f29bp+0|vmaf: 0x1.2ep+6|\n"
              "{2}{3}frame: 2|integer_adm2: 0x1p-1|vmaf: 0x1.8ffffff94a036p+6|\n");
}

} // namespace
} // namespace isovmaf
