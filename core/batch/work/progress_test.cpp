// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/progress.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace isovmaf::testing::progress_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

batch::RunProgress some() {
    batch::RunProgress progress;
    progress.counts = {.units = 40, .known = 12, .finished = 7, .permanent = 1, .frames = 1200};
    progress.counts.workers = {{5, 1000, 8, {1, 0.25, 6.5, 0.5}}, {2, 200, 10, {9.0004, 0, 1, 0}}};
    progress.devices = {"hip:0", "cpu"};
    progress.seconds = 10;
    progress.known_before = 10;
    progress.frames = 1532;
    return progress;
}

TEST(Progress, TimeLeftCountsTheWorkOfThisRun) {
    EXPECT_EQ(batch::seconds_left(some()), 20) << "10 units in 10 s, 20 are left";
    batch::RunProgress progress = some();
    progress.counts = {.units = 40, .known = 40};
    EXPECT_FALSE(batch::seconds_left(progress)) << "nothing was done";
    progress = some();
    progress.counts.finished = 27;
    EXPECT_EQ(batch::seconds_left(progress), 0);
}

TEST(Progress, ALineForPeople) {
    EXPECT_EQ(batch::progress_line(some()), "20 of 40 units, 1 failed  153.2 frames/s  bound by decode  0:20 left");
    batch::RunProgress progress;
    progress.counts.units = 1;
    EXPECT_EQ(batch::progress_line(progress), "0 of 1 unit  0.0 frames/s");
}

TEST(Progress, TheBoundIsTheStageThatWorkersWaitForMost) {
    batch::WorkCounts counts;
    EXPECT_EQ(batch::slowest_stage(counts), "");
    counts.workers = {{1, 1, 1, {1, 9, 2, 0}}, {1, 1, 1, {0, 0, 0, 1}}};
    EXPECT_EQ(batch::slowest_stage(counts), "kernels") << "uploads go on beside the other stages";
    counts.workers[1].times.finish = 3;
    EXPECT_EQ(batch::slowest_stage(counts), "finish");
}

TEST(Progress, JsonForPrograms) {
    const std::string text = batch::progress_json(some(), false);
    EXPECT_THAT(text, Not(HasSubstr("\n")));
    EXPECT_EQ(nlohmann::json::parse(text), nlohmann::json::parse(R"({
        "ended": false, "seconds": 10.0, "seconds_left": 20.0, "units": 40, "known": 12, "finished": 7, "permanent": 1,
        "transient": 0, "frames": 1532, "frames_per_second": 153.2, "bound": "decode", "workers": [
        {"device": "hip:0", "units": 5, "frames": 1000, "seconds": 8.0,
         "stages": {"decode": 1.0, "upload": 0.25, "kernels": 6.5, "finish": 0.5}},
        {"device": "cpu", "units": 2, "frames": 200, "seconds": 10.0,
         "stages": {"decode": 9.0, "upload": 0.0, "kernels": 1.0, "finish": 0.0}}]})"));
    batch::RunProgress progress;
    EXPECT_THAT(batch::progress_json(progress, true),
                ::testing::AllOf(HasSubstr(R"("ended":true)"), HasSubstr(R"("seconds_left":null)"),
                                 HasSubstr(R"("bound":null)"), HasSubstr(R"("workers":[])")));
}

TEST(Progress, ATableOfWorkers) {
    EXPECT_EQ(batch::workers_table(some()),
              "device     units      frames   frames/s   seconds:    decode    upload   kernels    finish\n"
              "hip:0          5       1,000      125.0                  1.0       0.2       6.5       0.5\n"
              "cpu            2         200       20.0                  9.0       0.0       1.0       0.0\n");
}

} // namespace
} // namespace isovmaf::testing::progress_test
