// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/failure_reasons.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace isovmaf::testing::failure_reasons_test {
namespace {

using namespace batch;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(FailureReasons, AreCountedWithTheirHosts) {
    FailureReasons reasons;
    reasons.add(FailureKind::permanent, "b", "node1");
    reasons.add(FailureKind::invalid, "a", "");
    for (const char *const host : {"node2", "node1", "node2", ""})
        reasons.add(FailureKind::transient, "b", host);
    const std::vector<FailureReason> sorted = reasons.most_frequent_first();
    ASSERT_EQ(sorted.size(), 3);
    EXPECT_EQ(sorted[0].kind, FailureKind::transient);
    EXPECT_EQ(sorted[0].units, 4);
    EXPECT_THAT(sorted[0].hosts, ElementsAre("node1", "node2"));
    EXPECT_EQ(sorted[1].message, "a");
    EXPECT_EQ(sorted[2].kind, FailureKind::permanent);
    EXPECT_EQ(reasons_table(sorted), "    units  kind       hosts         reason\n"
                                     "        4  transient  node1, node2  b\n"
                                     "        1  invalid    -             a\n"
                                     "        1  permanent  node1         b\n");
}

TEST(FailureReasons, TheTableEndsAndHasNoControlCharacters) {
    EXPECT_EQ(reasons_table({}), "");
    FailureReasons reasons;
    for (int i = 0; i < 12; i++)
        for (int host = 0; host < 12 - i; host++)
            reasons.add(FailureKind::transient, fmt::format("\x1b[1m{}", i), fmt::format("\n{}", host));
    const std::string table = reasons_table(reasons.most_frequent_first());
    EXPECT_THAT(table, HasSubstr("       12  transient  \\x0a0, \\x0a1, \\x0a10 and 9 more  \\x1b[1m0\n"));
    EXPECT_THAT(table, HasSubstr("[1m9\n"));
    EXPECT_THAT(table, Not(HasSubstr("[1m10\n")));
    EXPECT_THAT(table, EndsWith("and 2 more reasons: --json prints all of them\n"));
}

} // namespace
} // namespace isovmaf::testing::failure_reasons_test
