// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/slurm_time.hpp"

#include <gtest/gtest.h>

namespace isovmaf::testing::slurm_time_test {
namespace {

using batch::parse_slurm_time;

TEST(SlurmTime, IsReadAsSqueuePrintsIt) {
    EXPECT_EQ(parse_slurm_time("0:00"), 0);
    EXPECT_EQ(parse_slurm_time("3:04"), 184);
    EXPECT_EQ(parse_slurm_time("59:59"), 3599);
    EXPECT_EQ(parse_slurm_time("2:03:04"), 7384);
    EXPECT_EQ(parse_slurm_time("1-02:03:04"), 93'784);
    EXPECT_EQ(parse_slurm_time("364-23:59:59"), 31'535'999);
}

TEST(SlurmTime, OtherTextsAreNoTime) {
    for (const char *const text : {"", "UNLIMITED", "INVALID", "NOT_SET", "5", "1-", "-1:00", "1:60", "1:2:3:4",
                                   "1:", ":1", "1:00 ", "9999999999-00:00:00"})
        EXPECT_FALSE(parse_slurm_time(text)) << text;
}

} // namespace
} // namespace isovmaf::testing::slurm_time_test
