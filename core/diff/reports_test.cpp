// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/reports.hpp"

#include <bit>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "diff/testing/report_sample.hpp"
#include "features/words.hpp"

namespace isovmaf::diff::reports_test {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

/// Whether every tag is closed in its order and attributes are in quotes; what is wrong, else "".
std::string xml_fault(std::string_view xml) {
    std::vector<std::string> open;
    for (std::size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at)) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string_view::npos)
            return "no end of a tag";
        std::string_view tag = xml.substr(at + 1, end - at - 1);
        at = end;
        if (tag.find('<') != std::string_view::npos || std::ranges::count(tag, '"') % 2 != 0)
            return "bad tag " + std::string(tag);
        const std::string name(tag.substr(0, tag.find(' ')));
        if (tag.starts_with('?') || tag.ends_with('/'))
            continue;
        if (!tag.starts_with('/'))
            open.push_back(name);
        else if (open.empty() || "/" + open.back() != name)
            return "unexpected " + name;
        else
            open.pop_back();
    }
    return open.empty() ? "" : "open " + open.back();
}

TEST(TerminalReport, SaysWhatDiffersAndWhere) {
    const std::string text = terminal_table(sample_result(), false);
    EXPECT_TRUE(text.starts_with("isovmaf 0.5.0: host, hip:0 compared with cpu-ref\n")) << text;
    EXPECT_THAT(text, HasSubstr("\nfeature  values  words  host   hip:0\n"
                                "vif         990  4,000  equal  max 1,234 ULP, 46 of 990; 5 of 4,000 words\n"
                                "adm         990  4,000  equal  equal\n"));
    EXPECT_THAT(text, HasSubstr("expected       12345 (0x3039)\n"));
    EXPECT_THAT(text, HasSubstr("found          0.10000000000000002 (0x1.999999999999bp-4)\n"));
    EXPECT_THAT(text, HasSubstr("first word     scale 1: denominator, logarithms, frame 2: 5000 (0x1388) expected, "
                                "5001 (0x1389) found\n"));
    EXPECT_THAT(text, HasSubstr("repeat with    isovmaf diff --backends cpu-ref,hip:0 --content impulses"));
    EXPECT_THAT(text, HasSubstr("cuda was not compared: no plugin isovmaf-cuda.so was found\n"));
    EXPECT_TRUE(text.ends_with("\ncompared 12 cases, 100 frames, 5,940 values and 24,000 words: 51 differ\n")) << text;
}

TEST(TerminalReport, ColoursOnlyWhenAsked) {
    EXPECT_THAT(terminal_table(sample_result(), false), Not(HasSubstr("\x1B")));
    EXPECT_THAT(terminal_table(sample_result(), true), HasSubstr("\x1B[32mequal\x1B[0m"));
}

TEST(TerminalReport, ManySidesGoBelowEachOther) {
    DiffResult result = sample_result();
    for (int i = 1; i < 8; i++)
        result.tallies.push_back(sample_difference(fmt::format("hip:{}", i), "vif"));
    const std::string text = terminal_table(result, false);
    const std::string table = text.substr(0, text.find("\nvif on "));
    for (std::size_t start = table.find("\nfeature"), end = 0; start < table.size(); start = end + 1) {
        end = std::min(table.find('\n', start), table.size());
        EXPECT_LE(end - start, 100u) << table.substr(start, end - start);
    }
    EXPECT_THAT(table, HasSubstr("hip:7\n"));
}

TEST(TerminalReport, SendsNothingToTheTerminalButText) {
    const std::string text = terminal_table(nasty_result(), false);
    EXPECT_TRUE(std::ranges::none_of(text, [](char c) { return (c >= 0 && c < 0x20 && c != '\n') || c == 0x7F; }));
    EXPECT_THAT(text, Not(HasSubstr("\xC2\x9B"))); // starts a sequence as ESC [ does
}

TEST(JsonReport, HoldsEverything) {
    const DiffResult result = sample_result();
    const ordered_json report = ordered_json::parse(json(result));
    EXPECT_EQ(report["isovmaf_diff"], 1);
    EXPECT_EQ(report["verdict"], "differ");
    EXPECT_EQ(report["exit_code"], 1);
    EXPECT_EQ(report["failure"], nullptr);
    EXPECT_EQ(report["seed"], 3);
    EXPECT_EQ(report["absent"][0]["reason"], "no plugin isovmaf-cuda.so was found");

    const ordered_json &proof = report["proofs"][2];
    EXPECT_EQ(proof["device"], "AMD Instinct MI300X");
    EXPECT_EQ(proof["execution"]["build_id"], "4be1d0c2a977");
    EXPECT_EQ(proof["execution"]["frames_in_flight"], 4);
    EXPECT_EQ(proof["execution"]["queues"], 3);
    EXPECT_EQ(proof["execution"]["features"]["adm"]["kernel_launches"], 5200);

    const ordered_json &tally = report["tallies"][3];
    EXPECT_EQ(tally["side"], "hip:0");
    EXPECT_EQ(tally["words_different"], 5);
    EXPECT_EQ(tally["max_ulp"], 1234);
    EXPECT_EQ(tally["histogram"].get<std::vector<std::int64_t>>(),
              std::vector(result.tallies[3].histogram.begin(), result.tallies[3].histogram.end()));
    EXPECT_EQ(tally["first_word"]["word"], "scale 1: denominator, logarithms");
    EXPECT_EQ(tally["first_word"]["kind"], "i64");
    EXPECT_EQ(tally["first_word"]["expected"]["hex"], "0x1388");
    EXPECT_EQ(tally["first_word"]["distance"], 1);
    EXPECT_EQ(report["tallies"][0]["first"], nullptr);
    EXPECT_EQ(report["tallies"][0]["first_word"], nullptr);

    const ordered_json &fault = report["findings"][0]["fault"];
    EXPECT_EQ(fault["expected"]["hex"], "0x3039");
    EXPECT_EQ(fault["found"]["value"], 12346);
    EXPECT_EQ(fault["patterns"][1], "everything after row 16");
    EXPECT_EQ(fault["heat_map"]["rows"].size(), 180u);
    EXPECT_EQ(fault["heat_map"]["rows"][5].get<std::string>().substr(2 * 14, 6),
              fmt::format("00{:02x}00", result.findings[0].fault->heat.heat[5 * 240 + 15]));
}

TEST(JsonReport, DoublesKeepTheirBits) {
    for (const double value : {0.1, -0.0, 5e-324, 1e22, 100.0, std::nan("7"), -std::nan("1"),
                               std::numeric_limits<double>::infinity(), std::nextafter(0.1, 1)}) {
        DiffResult result = sample_result();
        result.tallies[3].first->found = value;
        const ordered_json found = ordered_json::parse(json(result))["tallies"][3]["first"]["found"];
        const auto bits = std::bit_cast<std::uint64_t>(value);
        EXPECT_EQ(found["bits"], fmt::format("0x{:016x}", bits));
        if (!std::isfinite(value)) {
            EXPECT_EQ(found["value"], std::isnan(value) ? "nan" : "inf");
            continue;
        }
        EXPECT_EQ(std::bit_cast<std::uint64_t>(found["value"].get<double>()), bits);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(found["hex"].get<std::string>().c_str(), nullptr)), bits);
    }
}

TEST(JsonReport, FloatsOfStagesHaveTheirBits) {
    DiffResult result = sample_result();
    StageFault &fault = *result.findings[0].fault;
    fault.kind = WordKind::f32;
    fault.expected = word_of(0.1F);
    fault.found = word_of(std::numeric_limits<float>::infinity());
    const ordered_json report = ordered_json::parse(json(result));
    const ordered_json &written = report["findings"][0]["fault"];
    EXPECT_EQ(written["kind"], "f32");
    EXPECT_EQ(written["expected"]["value"], 0.1);
    EXPECT_EQ(written["expected"]["hex"], "0x1.99999ap-4");
    EXPECT_EQ(written["expected"]["bits"], "0x3dcccccd");
    EXPECT_EQ(written["found"]["value"], "inf");
    EXPECT_THAT(terminal_table(result, false), HasSubstr("0.1 (0x1.99999ap-4)"));
}

TEST(JsonReport, DistancesBeyondEverythingAreWords) {
    DiffResult result = sample_result();
    result.tallies[3].max_ulp = beyond_ulp;
    result.tallies[3].max_ulp_f32 = beyond_ulp - 1;
    const ordered_json tally = ordered_json::parse(json(result))["tallies"][3];
    EXPECT_EQ(tally["max_ulp"], "inf");
    EXPECT_EQ(tally["max_ulp_f32"], beyond_ulp - 1);
}

TEST(JsonReport, StripsAreRuns) {
    DiffResult result = sample_result(6);
    result.strips[1].worst = {0, 0, 3, 3, 3, 65};
    const ordered_json strip = ordered_json::parse(json(result))["strips"][1];
    EXPECT_EQ(strip["frames"], 6);
    EXPECT_EQ(strip["runs"].dump(), "[[0,2],[3,3],[65,1]]");
}

TEST(JsonReport, EscapesNames) {
    const ordered_json report = ordered_json::parse(json(nasty_result()));
    EXPECT_THAT(report["command"].get<std::string>(),
                testing::StartsWith("<script>&\"'|`*_[x](y)\x1B[31m\n]]>-->\xEF"));
}

TEST(JunitReport, HasASuitePerSide) {
    const std::string xml = junit(sample_result());
    EXPECT_EQ(xml_fault(xml), "");
    EXPECT_THAT(xml, HasSubstr("<testsuites name=\"isovmaf diff\" tests=\"7\" failures=\"1\" errors=\"0\""));
    EXPECT_THAT(xml, HasSubstr("<testsuite name=\"host\" tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"0\""));
    EXPECT_THAT(xml, HasSubstr("<testsuite name=\"hip:0\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""));
    EXPECT_THAT(xml, HasSubstr("<testcase classname=\"isovmaf diff.hip:0\" name=\"adm\" time=\"0\"/>"));
    EXPECT_THAT(xml, HasSubstr("message=\"max 1,234 ULP, 46 of 990; 5 of 4,000 words\">"));
    EXPECT_THAT(xml, HasSubstr("\nplace          column 63, row 17\n"));
    EXPECT_THAT(xml, HasSubstr("<testsuite name=\"cuda\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""));
    EXPECT_THAT(xml, HasSubstr("<skipped message=\"no plugin isovmaf-cuda.so was found\"/>"));
}

TEST(JunitReport, ReportsWhatDidNotExecuteAsAnError) {
    DiffResult result = sample_result();
    result.verdict = Verdict::not_executed;
    result.failure = "hip:0 launched no kernel";
    const std::string xml = junit(result);
    EXPECT_EQ(xml_fault(xml), "");
    EXPECT_THAT(
        xml, HasSubstr("<error type=\"not_executed\" message=\"A side did not execute: hip:0 launched no kernel\"/>"));
}

TEST(Reports, TellThatTheRunWasInterrupted) {
    DiffResult result = sample_result();
    result.verdict = Verdict::equal;
    result.failure = "interrupted: this covers half of it";
    const std::string sentence = "to the last bit. The run was interrupted: this covers half of it.";
    EXPECT_THAT(terminal_table(result, false), HasSubstr(sentence));
    EXPECT_THAT(markdown(result), HasSubstr(sentence));
    EXPECT_THAT(html(result), HasSubstr(sentence));
    EXPECT_THAT(junit(result), HasSubstr("<error type=\"interrupted\" message=\"Everything"));
    EXPECT_EQ(ordered_json::parse(json(result))["failure"], result.failure);
    result.verdict = Verdict::differ;
    EXPECT_THAT(markdown(result), HasSubstr("words differ. The run was interrupted"));
}

TEST(Reports, TellOfFlaggedFrames) {
    const std::string sentence =
        "hip:0: kernels of adm left 3 frames to the CPU, whose words were compared in place of theirs";
    DiffResult result = sample_result();
    for (const std::string &text : {terminal_table(result, false), markdown(result), html(result), junit(result)})
        EXPECT_THAT(text, Not(HasSubstr("lagged frames")));
    ASSERT_EQ(result.proofs[2].execution.work[1].feature, "adm");
    result.proofs[2].execution.work[1].flagged = 3;
    EXPECT_THAT(terminal_table(result, false), HasSubstr("\n" + sentence + "\n"));
    EXPECT_THAT(markdown(result), HasSubstr("\nFlagged frames: " + sentence + ".\n"));
    EXPECT_THAT(markdown(result), HasSubstr(", flagged frames of adm 3"));
    EXPECT_THAT(html(result), HasSubstr("<p>Flagged frames: " + sentence + ".</p>"));
    EXPECT_THAT(html(result), HasSubstr("<dt>flagged frames of adm</dt><dd>3</dd>"));
    EXPECT_THAT(junit(result), HasSubstr("<property name=\"flagged frames of adm\" value=\"3\"/>"));
    EXPECT_EQ(ordered_json::parse(json(result))["proofs"][2]["execution"]["features"]["adm"]["flagged_frames"], 3);
}

TEST(JunitReport, EscapesNames) {
    const std::string xml = junit(nasty_result());
    EXPECT_EQ(xml_fault(xml), "") << xml;
    EXPECT_THAT(xml, Not(HasSubstr("<script")));
}

TEST(MarkdownReport, SumsUp) {
    const std::string text = markdown(sample_result());
    EXPECT_TRUE(text.starts_with("### isovmaf diff: differ\n\n51 of 29,940 values and words differ.")) << text;
    EXPECT_THAT(text, HasSubstr("| vif | 990 | 4,000 | equal | **max 1,234 ULP, 46 of 990; 5 of 4,000 words** |\n"));
    EXPECT_THAT(text, HasSubstr("```\nisovmaf diff --backends cpu-ref,hip:0 --content impulses"));
    EXPECT_THAT(text, HasSubstr("launches of adm 5,200"));
    EXPECT_THAT(text, HasSubstr("Not compared: cuda: no plugin"));
}

TEST(MarkdownReport, EscapesNames) {
    const std::string text = markdown(nasty_result());
    for (std::size_t at = text.find("<script"); at != std::string::npos; at = text.find("<script", at + 1))
        EXPECT_EQ(text.substr(at - 4, 4), "```\n"); // the command, in which nothing is markup
    EXPECT_THAT(text, HasSubstr("&lt;script&gt;&amp;&quot;'\\|\\`\\*\\_\\[x\\](y)"));
}

TEST(MarkdownReport, FitsAComment) {
    DiffResult result = sample_result();
    for (int i = 0; i < 200; i++)
        result.findings.push_back(sample_finding(fmt::format("hip:{}", i), "adm"));
    const std::string text = markdown(result);
    EXPECT_LT(text.size(), 65'536u);
    EXPECT_THAT(text, HasSubstr(" more: see the other reports."));
}

TEST(Reports, SayWhyNothingRan) {
    DiffResult result;
    result.verdict = Verdict::could_not_run;
    result.failure = "hip:7 does not exist";
    EXPECT_THAT(terminal_table(result, false), HasSubstr("The comparison could not run: hip:7 does not exist\n"));
    EXPECT_EQ(ordered_json::parse(json(result))["failure"], "hip:7 does not exist");
    EXPECT_THAT(junit(result), HasSubstr("<error type=\"could_not_run\""));
    EXPECT_THAT(markdown(result), HasSubstr("The comparison could not run: hip:7 does not exist"));
    EXPECT_THAT(html(result), HasSubstr("<h1>The comparison could not run: hip:7 does not exist</h1>"));
}

} // namespace
} // namespace isovmaf::diff::reports_test
