// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/videos_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "score_page/testing/page_sample.hpp"

namespace isovmaf::videos_page_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Sample {
    std::vector<Report> reports;
    std::vector<ScorePage> pages = {};
};

/// Encodes of one reference, with bit rates of 1, 2, ... Mbit/s, whose worst frames have large pictures.
Sample sample(std::size_t videos, std::size_t frames) {
    Sample sample{std::vector<Report>(videos, sample_report(frames))};
    for (std::size_t i = 0; i < videos; i++) {
        Report &report = sample.reports[i];
        report.distorted.path = fmt::format("v{}.mkv", i);
        report.distorted.codec = i % 2 == 0 ? "h264" : "hevc";
        report.distorted.bit_rate = 1'000'000 * static_cast<std::int64_t>(i + 1);
        report.distorted.bytes = 2'500'000;
        for (std::size_t column = 0; column < 12; column++) { // as many scores as VMAF has
            report.scores.names.insert(report.scores.names.begin(), fmt::format("feature{}", column));
            report.scores.sources.insert(report.scores.sources.begin(), "motion");
            for (FrameScores &frame : report.scores.frames)
                frame.scores.insert(frame.scores.begin(), 1.0 / static_cast<double>(frame.frame + 1));
        }
    }
    for (const Report &report : sample.reports) {
        sample.pages.push_back({.report = report, .first_model = sample_first_model + 12});
        for (std::int64_t frame = 0; frame < 8; frame++)
            sample.pages.back().worst.push_back({.frame = 50 * frame + 7,
                                                 .width = 640,
                                                 .height = 360,
                                                 .reference = std::string(50'000, 'r'),
                                                 .distorted = std::string(40'000, 'd'),
                                                 .difference = std::string(30'000, 'x')});
    }
    return sample;
}

std::size_t count(const std::string &text, const std::string &part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        found++;
    return found;
}

TEST(VideosPage, HasChartsOfAllVideosAndWhatTheirFilesAre) {
    const Sample videos = sample(4, 400);
    const std::string page = videos_page_html(videos.pages, "");
    const std::string above = page.substr(0, page.find("<h2>Videos</h2>"));
    EXPECT_THAT(above, HasSubstr("; vmaf is a score of the model vmaf_v0.6.1</p>"));
    EXPECT_THAT(above, HasSubstr("<td>h264</td><td>640x360</td><td class=count>1,000</td>"
                                 "<td class=count>2.50</td></tr>"));
    EXPECT_THAT(above, HasSubstr("aria-label=\"vmaf of all videos over time\""));
    EXPECT_THAT(above, HasSubstr("aria-label=\"vmaf over kbit/s of the video stream\""));
    EXPECT_EQ(count(above, "<g class=\"curve"), 4u + 2) << "a line for each video, a curve for each codec";
    EXPECT_EQ(count(above, "<circle"), 4u);
    EXPECT_THAT(above, HasSubstr("<i class=\"curve3\"></i>v3.mkv</span>"));
}

TEST(VideosPage, HasNoCurveOfOneBitRate) {
    Sample videos = sample(2, 3);
    videos.reports[1].distorted.bit_rate.reset();
    const std::string page = videos_page_html(videos.pages, "");
    EXPECT_THAT(page, Not(HasSubstr("Quality over bit rate")));
    EXPECT_THAT(page, HasSubstr("<td>hevc</td><td>640x360</td><td class=count></td>"));
}

TEST(VideosPage, StaysBelow2MB) {
    const Sample videos = sample(4, 5000);
    const std::string page = videos_page_html(videos.pages, "");
    EXPECT_LT(page.size(), 2'000'000u);
    EXPECT_EQ(count(page, "alt=&quot;reference of frame 7&quot;"), 4u);
    EXPECT_THAT(page, HasSubstr("The worst ones alone have pictures"));
}

TEST(VideosPage, LeavesOutScoresThatAreNoNumbers) {
    Sample videos = sample(2, 4);
    for (FrameScores &frame : videos.reports[0].scores.frames)
        frame.scores.back() = std::nan("");
    const std::string page = videos_page_html(videos.pages, "");
    const std::string above = page.substr(page.find("<svg"), page.find("</svg>") - page.find("<svg"));
    EXPECT_THAT(above, Not(HasSubstr("nan")));
}

} // namespace
} // namespace isovmaf::videos_page_test
