// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/svm_text.hpp"

#include <gmock/gmock.h>

namespace isovmaf {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string header = "svm_type nu_svr\nkernel_type rbf\ngamma 0.035000000000000003\nnr_class 2\nrho -1.25\n";

TEST(SvmText, HeaderAndVectors) {
    const auto svr = parse_svm_text(header + "total_sv 3\nSV\n4 1:0.5 3:-1e-3 \r\n-4\n0.25 2:1\n\n", 3, "x");
    ASSERT_TRUE(svr) << svr.error().message;
    EXPECT_EQ(svr->gamma, 0.035);
    EXPECT_EQ(svr->rho, -1.25);
    EXPECT_EQ(svr->dimension, 3u);
    EXPECT_THAT(svr->coefficients, ElementsAre(4, -4, 0.25));
    EXPECT_THAT(svr->vectors, ElementsAre(0.5, 0, -1e-3, 0, 0, 0, 0, 1, 0));
}

TEST(SvmText, HeaderWordsMayShareLinesAndUnusedKeysAreSkipped) {
    const auto svr = parse_svm_text("svm_type nu_svr kernel_type rbf degree 3 gamma 1 coef0 0 nr_class 2 label 1 -1 "
                                    "probA 0.5\nprobB 0.5 nr_sv 1 1 total_sv 1 rho 0\nSV\n1 1:2",
                                    1, "x");
    ASSERT_TRUE(svr) << svr.error().message;
    EXPECT_THAT(svr->vectors, ElementsAre(2));
}

TEST(SvmText, MistakesAreNamed) {
    const std::string start = header + "total_sv 1\nSV\n";
    const std::string no_type = "kernel_type rbf\ngamma 1\nnr_class 2\nrho 1\ntotal_sv 1\nSV\n1\n";
    const std::pair<std::string, const char *> cases[] = {
        {"", "ends before its line \"SV\""},
        {header, "ends before its line \"SV\""},
        {header + "colour red\n", "unknown key \"colour\""},
        {header + "gamma 1\n", "has the key gamma twice"},
        {no_type, "lacks svm_type"},
        {"svm_type epsilon_svr\n" + no_type, "svm_type \"epsilon_svr\" is not supported, only nu_svr is"},
        {"svm_type nu_svr kernel_type linear SV\n", "kernel_type \"linear\" is not supported, only rbf is"},
        {"svm_type nu_svr kernel_type rbf nr_class 3 SV\n", "nr_class \"3\" is not supported, only 2 is"},
        {"svm_type nu_svr kernel_type rbf nr_class 2 SV\n", "lacks gamma"},
        {"svm_type nu_svr kernel_type rbf nr_class 2 gamma nan SV\n", "gamma must be a finite number, but is \"nan\""},
        {"svm_type nu_svr kernel_type rbf nr_class 2 gamma -1 SV\n", "gamma must not be negative, but is -1"},
        {"svm_type nu_svr kernel_type rbf nr_class 2 gamma 1 SV\n", "lacks rho"},
        {header + "SV\n", "lacks total_sv"},
        {header + "total_sv\nSV\n1\n", "unknown key \"1\""}, // "SV" is taken for the value
        {header + "total_sv 0\nSV\n", "total_sv must be a positive integer, but is \"0\""},
        {header + "total_sv 1.5\nSV\n", "total_sv must be a positive integer, but is \"1.5\""},
        {header + "total_sv 1000000\nSV\n", "total_sv is 1000000, but at most 65536 support vectors are supported"},
        {header + "total_sv 1\nSV 1\n", "more than \"SV\" on the line"},
        {start, "total_sv is 1, but 0 support vectors follow"},
        {start + "1\n1\n", "total_sv is 1, but more support vectors follow"},
        {start + "inf 1:1\n", "support vector 1 begins with \"inf\""},
        {start + "1:1\n", "support vector 1 begins with \"1:1\""},
        {start + "1 1\n", "support vector 1 has \"1\", which is no index:value"},
        {start + "1 x:1\n", "has \"x:1\", which is no index:value"},
        {start + "1 1:nan\n", "has \"1:nan\", which is no index:value"},
        {start + "1 1:\n", "has \"1:\", which is no index:value"},
        {start + "1 0:1\n", "support vector 1 has index 0, but the model reads 2 features"},
        {start + "1 -1:1\n", "has index -1"},
        {start + "1 3:1\n", "has index 3, but the model reads 2 features"},
        {start + "1 99999999999999999999:1\n", "which is no index:value"},
        {start + "1 2:1 1:1\n", "has index 1 after index 2"},
        {start + "1 1:1 1:1\n", "has index 1 after index 1"},
    };
    for (const auto &[text, message] : cases) {
        const auto svr = parse_svm_text(text, 2, "model_dict.model");
        ASSERT_FALSE(svr) << message;
        EXPECT_THAT(svr.error().message, AllOf(StartsWith("model_dict.model: "), HasSubstr(message)));
    }
}

} // namespace
} // namespace isovmaf
