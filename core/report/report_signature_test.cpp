// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report_signature.hpp"

#include <gtest/gtest.h>

#include "report/junit.hpp"
#include "report/report.hpp"

namespace isovmaf {
namespace {

TEST(ReportSignature, KnowsEveryReportOfIsovmaf) {
    Report report;
    report.version = "0.1.0";
    report.scores = {{"vmaf"}, {{0, {75.5}}}, {}};
    for (const ReportFormat format : {ReportFormat::json, ReportFormat::xml, ReportFormat::csv, ReportFormat::sub})
        EXPECT_TRUE(begins_like_report(write_report(report, format, Precision::legacy))) << static_cast<int>(format);
    EXPECT_TRUE(begins_like_report(""));
    EXPECT_TRUE(begins_like_report("{\n  \"isovmaf_diff\": 1,\n"));
    EXPECT_TRUE(begins_like_report("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"isovmaf diff\" "));
    EXPECT_TRUE(begins_like_report(junit_text("isovmaf score", {})));
    EXPECT_TRUE(begins_like_report("### isovmaf diff: equal\n"));
    EXPECT_TRUE(begins_like_report("<!DOCTYPE html>\n<html lang=en><head><title>isovmaf diff: equal</title>"));
}

TEST(ReportSignature, KnowsThoseOfLibvmaf) {
    EXPECT_TRUE(begins_like_report("{\n  \"version\": \"3.0.0\",\n  \"fps\": 31.21,\n  \"frames\": ["));
    EXPECT_TRUE(begins_like_report("\xEF\xBB\xBF{ \"version\" : \"1.3.15\", \"params\" : {"));
    EXPECT_TRUE(begins_like_report("<VMAF version=\"3.0.0\">\n"));
    EXPECT_TRUE(begins_like_report("Frame,integer_adm2,vmaf,\n0,1.0,100.0,\n"));
    EXPECT_TRUE(begins_like_report("Frame," + std::string(signature_bytes - 6, 'x'))); // a long header
    EXPECT_TRUE(begins_like_report("Frame,vmaf\r\n0,0x1.2ep+6\r\n1,"));
    EXPECT_TRUE(begins_like_report("Frame,a,b,Time\n0,-inf,,0.040\n"));
    EXPECT_TRUE(begins_like_report("Frame,a,b,Time\n0,1.000000,0x1.")); // cut
    EXPECT_TRUE(begins_like_report("{0}{1}frame: 0|vmaf: 100.000000|\n"));
}

TEST(ReportSignature, KnowsNothingElse) {
    for (const char *text :
         {" ", "notes", "YUV4MPEG2 W97 H65", "{\"model_dict\": {", "{\"version\": \"1.0\", \"name\": \"app\"}", "{",
          "{\"version\"", "{\"version\": 3}", "Frame,Note\n1,good\n", "Frame,Note\n", "Frame,Note\nx,1\n", "Frame\n",
          "{1}{24}Hello!\n", "<VMAF>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"other\"",
          "# isovmaf diff: my notes", "<!DOCTYPE html>\n<title>Holidays</title>"})
        EXPECT_FALSE(begins_like_report(text)) << text;
}

} // namespace
} // namespace isovmaf
