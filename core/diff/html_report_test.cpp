// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diff/testing/report_sample.hpp"

namespace isovmaf::diff::html_report_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlReport, ShowsWhatDiffersAndWhatRan) {
    const std::string page = html(sample_result());
    EXPECT_THAT(page, HasSubstr("<h1>51 of 29,940 values and words differ.</h1>"));
    EXPECT_THAT(page, HasSubstr("<td class=apart>max 1,234 ULP, 46 of 990; 5 of 4,000 words</td>"));
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

} // namespace
} // namespace isovmaf::diff::html_report_test
