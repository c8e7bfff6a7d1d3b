// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/escape.hpp"

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

using Names = std::vector<std::string>;

TEST(Escape, JsonKeepsUtf8AndReplacesOtherBytes) {
    EXPECT_EQ(json_escape("vmaf_4k.neg"), "vmaf_4k.neg");
    EXPECT_EQ(json_escape("\"\\\n\x01\x7F/"), "\\\"\\\\\\n\\u0001\x7F/");
    EXPECT_EQ(json_escape("\xC3\xA4\xFF"), "\xC3\xA4\xEF\xBF\xBD");
    EXPECT_EQ(json_escape("\xC3"), "\xEF\xBF\xBD"); // cut off in the middle of a character
}

TEST(Escape, XmlKeepsWhiteSpaceAndReplacesControls) {
    EXPECT_EQ(xml_escape("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
    EXPECT_EQ(xml_escape("\t\r\n"), "&#9;&#13;&#10;");
    EXPECT_EQ(xml_escape("\x1B\xC3\xA4\xFF"), "\xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBD");
    EXPECT_EQ(xml_escape("a\xEF\xBF\xBE\xEF\xBF\xBF"), "a\xEF\xBF\xBD\xEF\xBF\xBD"); // U+FFFE, U+FFFF
}

TEST(Escape, OrdinaryScoreNamesAreXmlNames) {
    const Names names{"VMAF_integer_feature_motion_sad_score", "integer_adm3_csf_2_dlmw_0.7_min_-0.5", "vmaf-neg"};
    EXPECT_EQ(xml_attribute_names(names), names);
}

TEST(Escape, OtherNamesBecomeDistinctXmlNames) {
    constexpr std::array<std::string_view, 1> reserved{"frameNum"};
    EXPECT_EQ(xml_attribute_names(Names{"frameNum", "a:b", "a b", "a_b", "", "0.6.1", "xmlns", "\xC3\xA4"}, reserved),
              (Names{"frameNum_", "a_b", "a_b_", "a_b__", "_", "_0.6.1", "_xmlns", "__"}));
}

TEST(Escape, CsvQuotesOnlyWhereNeeded) {
    EXPECT_EQ(csv_escape("a b"), "a b");
    EXPECT_EQ(csv_escape("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_escape("a\n\"b\""), "\"a\n\"\"b\"\"\"");
}

TEST(Escape, SubKeepsToItsLine) { EXPECT_EQ(sub_escape("a|b\r\nc d"), "a_b__c d"); }

TEST(Escape, PlainTextIsOneLineOfValidUtf8) {
    EXPECT_EQ(plain("psnr of Straße"), "psnr of Straße");
    EXPECT_EQ(plain("a\nb\x1B[31m\x7F"), "a\uFFFDb\uFFFD[31m\uFFFD");
    EXPECT_EQ(plain("\xFF"), "\uFFFD");
    EXPECT_EQ(plain("\xC2\x9B"), "\uFFFD") << "U+009B is a control character";
}

} // namespace
} // namespace isovmaf
