// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/score_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/heat_map.hpp"
#include "report/report_signature.hpp"
#include "score_page/embedded.hpp"
#include "score_page/page_data.hpp"
#include "score_page/testing/page_sample.hpp"

namespace isovmaf::score_page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page_of(const Report &report) {
    return score_page_html({.report = report, .first_model = sample_first_model, .command = "isovmaf score"});
}

std::set<std::string> matches(const std::string &text, const char *pattern) {
    std::set<std::string> found;
    const std::regex expression(pattern);
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
        found.insert((*match)[1]);
    return found;
}

/// The place behind the tag that begins at `at`: a ">" in an attribute does not end it.
std::size_t end_of_tag(const std::string &page, std::size_t at) {
    for (bool quoted = false; at < page.size(); at++) {
        quoted = quoted != (page[at] == '"');
        if (!quoted && page[at] == '>')
            return at + 1;
    }
    return page.size();
}

/// An element that is not closed, or that is closed without being open; "" when there is none.
std::string unbalanced(const std::string &page) {
    const std::set<std::string> empty{"meta", "img", "!DOCTYPE"};
    std::vector<std::string> open;
    for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at)) {
        const bool closes = page[at + 1] == '/';
        const std::size_t begin = at + (closes ? 2 : 1);
        const std::string name = page.substr(begin, page.find_first_of(" >\n/", begin) - begin);
        at = end_of_tag(page, at);
        if (closes && (open.empty() || open.back() != name))
            return name;
        if (closes)
            open.pop_back();
        else if (!empty.contains(name) && page[at - 2] != '/')
            open.push_back(name);
        if (!closes && name == "script") // holds no elements
            at = page.find("</script>", at);
    }
    return open.empty() ? "" : open.back();
}

/// All charts of the page.
std::string charts_of(const std::string &page) {
    std::string charts;
    for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1))
        charts += page.substr(at, page.find("</svg>", at) - at);
    return charts;
}

TEST(ScorePage, SaysScoresAndWhereTheyComeFrom) {
    const std::string page = page_of(sample_report(100));
    EXPECT_TRUE(begins_like_report(page));
    EXPECT_THAT(page, HasSubstr("<title>isovmaf score: vmaf "));
    EXPECT_THAT(page, HasSubstr("<dd>0:00:04.000</dd>")); // 100 frames at 25 fps
    EXPECT_THAT(page, HasSubstr("<tr class=other><th>matrix</th><td>bt709</td><td>not specified</td></tr>"));
    EXPECT_THAT(page, HasSubstr("<td class=count>5,200</td><td class=count>3</td>"));
    EXPECT_THAT(page, HasSubstr("it has no kernels"));
    EXPECT_THAT(page, HasSubstr("; vmaf is a score of the model vmaf_v0.6.1</p>"));
    EXPECT_THAT(page, HasSubstr("<footer>Made by<pre>isovmaf score</pre></footer>"));
    EXPECT_THAT(page, Not(HasSubstr("class=notices")));
}

TEST(ScorePage, ShowsPercentilesOfAllScores) {
    Report report = sample_report(101);
    for (std::size_t n = 0; n < 101; n++)
        report.scores.frames[n].scores[2] = static_cast<double>(n);
    const std::string page = page_of(report);
    EXPECT_THAT(page,
                HasSubstr("<td class=count>0.0000</td><td class=count>1.0000</td><td class=count>5.0000</td>"
                          "<td class=count>25.0000</td><td class=count>50.0000</td><td class=count>75.0000</td>"
                          "<td class=count>95.0000</td><td class=count>99.0000</td><td class=count>100.0000</td>"));
    EXPECT_THAT(page, HasSubstr("<title>0 to 2.5: 3 frames</title>"));
    EXPECT_THAT(page, HasSubstr("<title>97.5 to 100: 3 frames</title>"));
}

TEST(ScorePage, ListsWarningsNotesAndHints) {
    Report report = sample_report(3);
    report.notes = {"a note"};
    report.warnings = {{PairWarning::lengths, "a warning"}};
    report.sync.hint = "try --offset 2";
    report.incomplete = true;
    const std::string page = score_page_html({.report = report, .first_model = 2});
    EXPECT_THAT(page, HasSubstr("<li><b>Incomplete:</b> the run was interrupted</li>\n"
                                "<li><b>Warning:</b> a warning</li>\n<li><b>Note:</b> a note</li>\n"
                                "<li><b>Hint:</b> try --offset 2</li>"));
}

TEST(ScorePage, IsWellFormedForAnyNumberOfFrames) {
    for (const std::size_t frames : {1u, 2u, 60u, 3000u})
        EXPECT_EQ(unbalanced(page_of(sample_report(frames))), "") << frames;
}

TEST(ScorePage, ShowsEqualAndInfiniteScores) {
    Report report = sample_report(4);
    for (FrameScores &frame : report.scores.frames)
        frame.scores = {0, std::numeric_limits<double>::infinity(), 100};
    report.scores.frames[1].scores[0] = std::numeric_limits<double>::quiet_NaN();
    const std::string page = page_of(report);
    EXPECT_EQ(unbalanced(page), "");
    EXPECT_THAT(page, HasSubstr("<h1><span>vmaf</span> 100.0000</h1>"));
    for (const char *text : {"nan", "inf"})
        EXPECT_THAT(charts_of(page), Not(HasSubstr(text)));
}

TEST(ScorePage, InterruptsTheLineAtScoresThatAreNoNumbers) {
    Report report = sample_report(5);
    report.scores.frames[2].scores[2] = std::numeric_limits<double>::quiet_NaN();
    const std::string page = page_of(report), mark = "class=line d=\"";
    const std::size_t begin = page.find(mark) + mark.size();
    const std::string line = page.substr(begin, page.find('"', begin) - begin);
    EXPECT_EQ(std::ranges::count(line, 'M'), 2) << line;
    EXPECT_EQ(std::ranges::count(line, 'V'), 4) << line;
    EXPECT_THAT(page, HasSubstr("<h1><span>vmaf</span> nan</h1>"));
}

TEST(ScorePage, HasEveryElementThatTheScriptAsksFor) {
    const std::string page = page_of(sample_report(3));
    const std::set<std::string> ids = matches(page, " id=\"?([a-z-]+)");
    for (const std::string &id : matches(std::string(score_page_script), "byId\\(\"([a-z-]+)\"\\)"))
        EXPECT_TRUE(ids.contains(id) || id.starts_with("viewer")) << id;
    for (const std::string &id : matches(page, "href=\"#([^\"]*)\""))
        EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(ScorePage, NeedsNoNetwork) {
    const std::string page = page_of(sample_report(3));
    for (const char *text : {"http:", "https:", "src=\"/", "<link", "@import", "url(\"", "url(h", "onload", "fetch("})
        EXPECT_THAT(page, Not(HasSubstr(text)));
}

TEST(ScorePage, EscapesTextsFromOutside) {
    const std::string nasty = "</script><script>alert(1)</script>\"'&\xff.y4m";
    Report report = sample_report(3);
    report.version = report.semantics = report.reference.path = report.reference.codec = report.resize = nasty;
    report.distorted = report.reference;
    report.reference.container = report.reference.stream = report.reference.pixel_format = nasty;
    report.reference.colour = {{nasty, nasty}};
    report.reference.conversions = report.notes = {nasty};
    report.sync.hint = report.sync.mode = nasty;
    report.models = report.options = {{nasty, nasty}};
    report.scores.names = report.scores.sources = {nasty, nasty + "2", nasty + "3"};
    report.scores.aggregates = {{nasty, 1}};
    Execution &execution = report.execution;
    execution.backend = execution.reason = execution.plugin = execution.build_id = execution.device = nasty;
    execution.arch = execution.pci_id = execution.runtime = execution.driver = nasty;
    execution.placement = {{nasty, nasty, nasty, nasty}};
    report.warnings = {{nasty, nasty}};
    const std::string page = score_page_html({.report = report, .first_model = 2, .command = nasty});
    std::size_t scripts = 0;
    for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1))
        scripts++;
    EXPECT_EQ(scripts, 2u); // the data and the script
    EXPECT_EQ(unbalanced(page), "");
    EXPECT_THAT(page, Not(HasSubstr("\xff")));
    EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
}

TEST(ScorePage, ShowsMapsBesideTheirFrames) {
    const Report report = sample_report(3);
    ScorePage page{.report = report, .first_model = sample_first_model, .map_feature = "cambi"};
    page.worst = {
        {.frame = 2,
         .score = 1,
         .width = 4,
         .height = 2,
         .reference = "r",
         .distorted = "d",
         .difference = "x",
         .map = "map"},
        {.frame = 1, .score = 2, .width = 4, .height = 2, .reference = "r", .distorted = "d", .difference = "x"}};
    const std::string text = score_page_html(page);
    EXPECT_EQ(unbalanced(text), "");
    EXPECT_THAT(text,
                HasSubstr("<img src=\"data:image/jpeg;base64,bWFw\" width=4 height=2 alt=\"map of cambi of frame 2\">"
                          "<figcaption>map of cambi</figcaption>"));
    EXPECT_THAT(text, HasSubstr("Maps of cambi show where"));
    EXPECT_THAT(text, Not(HasSubstr("map of cambi of frame 1")));
    page.worst.erase(page.worst.begin());
    EXPECT_THAT(score_page_html(page), Not(HasSubstr("Maps of")));
}

TEST(ScorePage, HoldsEveryFrameUpToALimit) {
    EXPECT_EQ(frames_per_place(100'000, 14), 1u);
    EXPECT_EQ(frames_per_place(100'001, 14), 3u); // a group has two numbers
    const Report report = sample_report(10);
    const std::vector<ShownColumn> columns = shown_columns(report.scores, sample_first_model);
    const std::string all = page_data_json(report, columns), thin = page_data_json(report, columns, 20);
    EXPECT_THAT(all, Not(HasSubstr("high")));
    EXPECT_THAT(thin, HasSubstr("\"low\": \"AAAAAAAAoEA=\",\n    \"high\": \"AACAQAAAEEE=\"")); // 0 to 4, 5 to 9
}

TEST(ScorePage, StaysSmallForLongVideos) {
    EXPECT_LT(page_of(sample_report(100'000)).size(), std::size_t{3} << 20); // 100,000 frames, 4 numbers each
}

} // namespace
} // namespace isovmaf::score_page_test
