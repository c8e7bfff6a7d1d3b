// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/unit.hpp"

#include <gtest/gtest.h>

namespace isovmaf::testing::row_jobs_test {
namespace {

using batch::Row;
using batch::RowJobs;

Row row_with(const batch::Fields &options) {
    Row row{1, "ref.y4m", "https://host/dis.mkv"};
    row.options = options;
    return row;
}

TEST(RowJobs, ARowHasItsVideosItsOptionsAndWhereItIsComputed) {
    RowJobs jobs("/videos");
    const ExecutionOptions execution{.backend = "hip", .devices = {1}, .threads = 3};
    const auto job = jobs.make(row_with({{"feature", {"psnr"}}, {"no_prediction", {"true"}}}), execution);
    ASSERT_TRUE(job) << job.error().message;
    EXPECT_EQ(job->videos.reference.path, "/videos/ref.y4m");
    EXPECT_EQ(job->videos.distorted.path, "https://host/dis.mkv");
    ASSERT_EQ(job->scoring.features.size(), 1U);
    EXPECT_TRUE(job->scoring.models.empty());
    EXPECT_EQ(job->execution, execution);
}

TEST(RowJobs, RowsWithTheSameOptionsDifferInTheRest) {
    RowJobs jobs("/videos");
    const Row first = row_with({{"frame_cnt", {"4"}}});
    Row second = first;
    second.distorted = "other.y4m";
    ASSERT_TRUE(jobs.make(first, {.backend = "cpu"}));
    const auto job = jobs.make(second);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->videos.distorted.path, "/videos/other.y4m");
    EXPECT_EQ(job->videos.pair.frame_count, 4);
    EXPECT_EQ(job->execution, ExecutionOptions());
    EXPECT_EQ(jobs.make(row_with({{"frame_cnt", {"5"}}}))->videos.pair.frame_count, 5);
}

TEST(RowJobs, WrongOptionsAreAnErrorEachTime) {
    RowJobs jobs("/videos");
    for (int i = 0; i < 2; i++) {
        const auto job = jobs.make(row_with({{"crop", {"9x9"}}}));
        ASSERT_FALSE(job);
        EXPECT_TRUE(job.error().message.starts_with("--crop: ")) << job.error().message;
        EXPECT_EQ(job.error().code, ErrorCode::invalid_argument);
    }
}

} // namespace
} // namespace isovmaf::testing::row_jobs_test
