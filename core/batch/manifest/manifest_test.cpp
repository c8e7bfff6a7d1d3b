// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/manifest.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/temporary_folder.hpp"
#include "batch/testing/manifest_rows.hpp"

namespace isovmaf::testing::manifest_test {
namespace {

using batch::Fields;
using batch::ManifestRow;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const batch::ManifestColumns columns{{"feature", "label", "offset"}, {"feature"}};

Result<std::vector<ManifestRow>> read(const std::string &text) {
    return all_rows(batch::read_manifest(std::make_unique<std::istringstream>(text), "m.csv", columns));
}

TEST(Manifest, CsvHasQuotesEmptyLinesAndByteOrderMarks) {
    const auto rows = read("\xef\xbb\xbfreference,distorted,label,feature\r\n"
                           "a,b,\"x, \"\"y\"\"\nz\",psnr;vif\r\n\n"
                           "c,d,,\n");
    ASSERT_TRUE(rows) << rows.error().message;
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].line, 2);
    EXPECT_EQ(
        (*rows)[0].fields,
        (Fields{{"reference", {"a"}}, {"distorted", {"b"}}, {"label", {"x, \"y\"\nz"}}, {"feature", {"psnr", "vif"}}}));
    EXPECT_EQ((*rows)[1].line, 5);
    EXPECT_EQ((*rows)[1].fields, (Fields{{"reference", {"c"}}, {"distorted", {"d"}}}));
}

TEST(Manifest, JsonLinesHaveListsNumbersAndBooleans) {
    const auto rows =
        read("{\"reference\":\"a\",\"distorted\":\"b\",\"feature\":[\"psnr\",\"vif\"],\"offset\":-2,\"label\":null}\n"
             "\n{\"distorted\":\"d\",\"reference\":\"c\",\"feature\":\"a;b\",\"label\":true}");
    ASSERT_TRUE(rows) << rows.error().message;
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].fields,
              (Fields{{"reference", {"a"}}, {"distorted", {"b"}}, {"feature", {"psnr", "vif"}}, {"offset", {"-2"}}}));
    EXPECT_EQ((*rows)[1].line, 3);
    EXPECT_EQ((*rows)[1].fields,
              (Fields{{"reference", {"c"}}, {"distorted", {"d"}}, {"feature", {"a;b"}}, {"label", {"true"}}}));
}

TEST(Manifest, RowsThatCannotBeReadAreNamedAndTheOthersAreRead) {
    for (const auto &[text, line, problem] : std::vector<std::tuple<std::string, int, std::string>>{
             {"reference,distorted\na,b\na\nc,d\n", 3, "1 fields for 2 columns"},
             {"reference,distorted\na,b\n\"a\"x,b\nc,d\n", 3, "between a quotation mark and the next comma"},
             {"reference,distorted\na,b\n" + std::string((1 << 20) + 9, 'x') + ",b\nc,d\n", 3, "too long"},
             {"{\"reference\":\"a\"}\n[1]\n{\"distorted\":\"d\"}\n", 2, "no JSON object"},
             {"{\"reference\":\"a\"}\n{\"reference\":[1,2]}\n{}\n", 2, "reference takes one value, not a list"},
             {"{\"reference\":\"a\"}\n{\"feature\":[[]]}\n{}\n", 2, "takes a text, a number or a boolean"},
             {"{\"reference\":\"a\"}\n{\"colour\":1}\n{}\n", 2, "there is no column \"colour\""},
             {"{\"reference\":\"a\"}\n" + std::string((1 << 20) + 9, '{') + "\n{}\n", 2, "too long"}}) {
        const auto rows = read(text);
        ASSERT_TRUE(rows) << rows.error().message;
        ASSERT_EQ(rows->size(), 3U) << problem;
        EXPECT_EQ((*rows)[0].problem, "");
        EXPECT_EQ((*rows)[1].line, line);
        EXPECT_THAT((*rows)[1].problem, HasSubstr(problem));
        EXPECT_EQ((*rows)[2].problem, "");
    }
    const auto open = read("reference,distorted\n\"a,b\n");
    ASSERT_TRUE(open);
    EXPECT_EQ(open->back().problem, "a quotation mark is not closed");
}

TEST(Manifest, HeadersThatCannotBeRightAreRefused) {
    const auto refusal = [](const std::string &text) {
        const auto rows = read(text);
        return rows ? "accepted" : rows.error().message;
    };
    EXPECT_THAT(refusal(""), HasSubstr("manifest m.csv is empty"));
    EXPECT_THAT(refusal("reference,label\n"), HasSubstr("line 1: the first line has to name the columns"));
    EXPECT_THAT(refusal("reference,distorted,colour\n"),
                HasSubstr("there is no column \"colour\"; there are reference, distorted, feature, label, offset"));
    EXPECT_THAT(refusal("reference,dis\n"),
                HasSubstr("there is no column \"dis\" (did you mean distorted?); there are"));
    EXPECT_THAT(refusal("reference;distorted\n"), HasSubstr("semicolons part its columns: a manifest has commas"));
    EXPECT_THAT(refusal("reference\tdistorted\n"), HasSubstr("tabs part its columns: a manifest has commas"));
    EXPECT_THAT(refusal("reference,distorted,label,label\n"), HasSubstr("two columns \"label\""));
    const TemporaryFolder folder;
    for (const std::string &path : {folder.file("missing.csv"), folder.path().string()})
        EXPECT_THAT(batch::open_manifest(path, columns).error().message, HasSubstr("cannot open manifest " + path));
}

TEST(Manifest, RowsOfARunFolderSurviveAsText) {
    batch::Row row{7, "a \"b\"", "c\n", "l", 1500.5, {{"feature", {"psnr", "vif"}}}};
    const auto text = batch::encode_row(row);
    ASSERT_TRUE(text);
    EXPECT_EQ(text->find('\n'), std::string::npos);
    const auto read_back = batch::decode_row(*text);
    ASSERT_TRUE(read_back);
    EXPECT_EQ(*batch::encode_row(*read_back), *text);
    EXPECT_EQ(read_back->options, row.options);
    row.label = "\xff";
    EXPECT_FALSE(batch::encode_row(row));
    row.problem = "a label that is no UTF-8";
    EXPECT_EQ(batch::decode_row(*batch::encode_row(row))->label, "\xef\xbf\xbd");
    for (const char *const broken : {"", "{}", "[]", R"({"line":"x","reference":"a","distorted":"b"})",
                                     R"({"line":1e25,"reference":"a","distorted":"b"})",
                                     R"({"line":1,"reference":"a","distorted":"b","frames":1.5})"})
        EXPECT_FALSE(batch::decode_row(broken)) << broken;
}

} // namespace
} // namespace isovmaf::testing::manifest_test
