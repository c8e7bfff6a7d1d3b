// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diff/bitmap.hpp"
#include "diff/heat_scale.hpp"
#include "diff/html_parts.hpp"
#include "diff/report_sample.hpp"

namespace isovmaf::diff {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlReport, ShowsWhatDiffersAndWhatRan) {
    const std::string page = html(sample_result());
    EXPECT_THAT(page, HasSubstr("<h1>51 of 29,940 values and integers differ.</h1>"));
    EXPECT_THAT(page, HasSubstr("<td class=apart>max 1,234 ULP, 46 of 990; 5 of 4,000 integers</td>"));
    EXPECT_THAT(page, HasSubstr("<title>2¹⁰ to 2¹¹ - 1 ULP: 1</title>"));
    EXPECT_THAT(page, HasSubstr("<dt>build id</dt><dd>4be1d0c2a977</dd>"));
    EXPECT_THAT(page, HasSubstr("<dt>launches of adm</dt><dd>5,200</dd>"));
    EXPECT_THAT(page, HasSubstr("not compared: no plugin isovmaf-cuda.so was found"));
    EXPECT_THAT(page, HasSubstr("<dd class=number>12345 (0x3039)</dd>"));
    EXPECT_THAT(page, HasSubstr("left:6.615%;top:3.241%")); // (63.5, 17.5) of 960x540
}

TEST(HtmlReport, NeedsNoNetworkAndNoScript) {
    const std::string page = html(sample_result());
    for (const char *text : {"http", "<script", "<link", "@import", "url(", "onload"})
        EXPECT_THAT(page, Not(HasSubstr(text)));
}

TEST(HtmlReport, EscapesNames) {
    const std::string page = html(nasty_result());
    EXPECT_THAT(page, Not(HasSubstr("<script")));
    EXPECT_THAT(page, HasSubstr("&lt;script&gt;&amp;&quot;"));
    for (const char *attribute : {"alt=\"", "aria-label=\""})
        EXPECT_THAT(page, HasSubstr(attribute));
}

TEST(HtmlReport, StaysSmall) {
    DiffResult result = sample_result(100);
    StageFault fault = sample_fault();
    fault.heat = {256, 256, 4, 4, std::vector<std::uint8_t>(256 * 256, 7)};
    for (const char *feature : {"adm", "motion", "ssim", "cambi"}) {
        result.findings.push_back(sample_finding("hip:0", feature));
        result.findings.back().fault = fault;
    }
    EXPECT_LT(html(result).size(), std::size_t{1} << 20);
}

TEST(HtmlReport, ManyFramesTakeNoMoreRoomThanAThousand) {
    Strip strip{"hip:0", std::vector<std::uint8_t>(100'000)};
    for (std::size_t frame = 0; frame < strip.worst.size(); frame += 2)
        strip.worst[frame] = static_cast<std::uint8_t>(1 + frame / 100 % 64);
    const std::string text = strip_html(strip);
    EXPECT_LT(text.size(), std::size_t{30'000});
    EXPECT_THAT(text, HasSubstr("50,000 of 100,000 frames differ: 0, 2, 4, 6, 8, 10, 12, 14 and 49,992 more"));

    strip.worst.assign(100'000, 0);
    strip.worst[54'321] = 1; // one frame is not lost
    EXPECT_THAT(strip_html(strip), HasSubstr("d=\"M543 0h1v1h-1z\""));
}

TEST(HtmlReport, StripsMergeRuns) {
    const std::string text = strip_html({"hip:0", {0, 0, 3, 3, 3, 65}});
    EXPECT_THAT(text, HasSubstr("4 of 6 frames differ: 2–5"));
    EXPECT_THAT(text, HasSubstr(fmt::format("stroke=\"{}\" d=\"M2 0h3v1h-3z\"", heat_colour(3))));
    EXPECT_THAT(text, HasSubstr(fmt::format("stroke=\"{}\" d=\"M5 0h1v1h-1z\"", heat_colour(15))));
}

TEST(HtmlReport, HistogramsKeepWhatIsNotFinite) {
    UlpHistogram histogram{};
    histogram[0] = 10;
    EXPECT_THAT(histogram_svg(histogram), Not(HasSubstr("NaN")));
    histogram.back() = 2;
    EXPECT_THAT(histogram_svg(histogram), HasSubstr("<title>NaN or infinite: 2</title>"));
    histogram[64] = 1;
    EXPECT_THAT(histogram_svg(histogram), HasSubstr("<title>2⁶³ ULP or more: 1</title>"));
}

TEST(HtmlReport, LeavesOutAHeatMapThatIsNotWhole) {
    StageFault fault = sample_fault();
    fault.heat.heat.pop_back();
    EXPECT_EQ(heat_html(fault), "");
}

TEST(HeatScale, GrowsWithDistance) {
    EXPECT_EQ(heat_level(0), 0u);
    EXPECT_EQ(heat_level(1), 1u);
    EXPECT_EQ(heat_level(6), 5u);
    EXPECT_EQ(heat_level(64), 14u);
    EXPECT_EQ(heat_level(65), 15u);
    EXPECT_EQ(heat_label(5), "2⁴");
    EXPECT_EQ(heat_label(1), "1");
}

TEST(Bitmap, HasRowsFromTheBottomInWholeWords) {
    const std::vector<std::uint8_t> pixels{1, 2, 3, 4, 5, 6};
    const std::string bytes = heat_bitmap(pixels, 3, 2);
    ASSERT_EQ(bytes.size(), 14u + 40 + 64 + 8);
    EXPECT_EQ(bytes.substr(0, 6), std::string("BM\x7E\0\0\0", 6));
    EXPECT_EQ(bytes.substr(54, 8), std::string("\x30\x22\x1B\0\xF0\x6C\x7A\0", 8));
    EXPECT_EQ(bytes.substr(118), std::string("\x45\x60\0\0\x12\x30\0\0", 8));
}

TEST(Base64, PadsAsTheRfcSays) {
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("\xFF\xEF\xBE"), "/+++");
}

} // namespace
} // namespace isovmaf::diff
