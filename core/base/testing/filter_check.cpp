// SPDX-License-Identifier: BSD-2-Clause-Patent
// A part of every test program: a filter that names tests which are not there is a failure. GoogleTest runs nothing
// then, and says that all is well.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fnmatch.h>
#include <gtest/gtest.h>

namespace isovmaf::filter_check {
namespace {

bool is_matched(const std::string &pattern, const ::testing::UnitTest &program) {
    for (int s = 0; s < program.total_test_suite_count(); s++) {
        const ::testing::TestSuite &suite = *program.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); t++)
            if (fnmatch(pattern.c_str(), (std::string(suite.name()) + '.' + suite.GetTestInfo(t)->name()).c_str(), 0) ==
                0)
                return true;
    }
    return false;
}

class FilterCheck final : public ::testing::EmptyTestEventListener {
    /// Each pattern has to match a test. Those behind a minus may exclude tests that some builds have.
    void OnTestProgramStart(const ::testing::UnitTest &program) override {
        const std::string filter = GTEST_FLAG_GET(filter);
        std::string_view rest = std::string_view(filter).substr(0, filter.find('-'));
        while (!rest.empty()) {
            const std::string pattern(rest.substr(0, rest.find(':')));
            rest.remove_prefix(std::min(pattern.size() + 1, rest.size()));
            if (!pattern.empty() && !is_matched(pattern, program)) {
                std::fprintf(stderr, "no test matches \"%s\" of the filter \"%s\"\n", pattern.c_str(), filter.c_str());
                std::exit(EXIT_FAILURE);
            }
        }
    }
};

[[maybe_unused]] const bool is_checked = [] {
    ::testing::UnitTest::GetInstance()->listeners().Append(new FilterCheck); // GoogleTest deletes it
    return true;
}();

} // namespace
} // namespace isovmaf::filter_check
