// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/run_stats.hpp"

#include <gtest/gtest.h>

namespace isovmaf::run_stats_test {
namespace {

RunStats sample() {
    return {.videos_seconds = 0.25,
            .session_seconds = 0.5,
            .scoring_seconds = 2,
            .stages = {{"read_reference", "reading the reference", 1.9}, {"cpu", "features on the CPU", 6.4, 4}}};
}

TEST(RunStats, NamesTheStageThatWasBusyNearlyAllTheTime) {
    RunStats stats = sample();
    EXPECT_EQ(bottleneck(stats)->name, "read_reference");
    EXPECT_EQ(stats_text(stats),
              "stats: videos opened in 0.250 s, session in 0.500 s, scored in 2.000 s; reading the reference 95 %, "
              "features on the CPU 80 %; bottleneck: reading the reference");
    stats.device_seconds = 0.4;
    EXPECT_NE(stats_text(stats).find("videos opened in 0.250 s beside a device in 0.400 s, session"),
              std::string::npos);
    stats.stages[0].seconds = 1;
    EXPECT_EQ(bottleneck(stats)->name, "cpu") << "four threads were busy for four fifths of the time";
    stats.stages[1].seconds = 6;
    EXPECT_EQ(bottleneck(stats), nullptr);
    EXPECT_NE(stats_text(stats).find("bottleneck: none, as no stage"), std::string::npos);
}

TEST(RunStats, DevicesAndWorkersHaveLinesOfTheirOwn) {
    RunStats stats = sample();
    stats.devices = {{"cuda:0", {{"kernels", "kernels", 1}}}, {"cuda:1", {{"kernels", "kernels", 0.5}}}};
    stats.workers = {{"cuda:1", 70, 1, 2, {{"read_reference", "decoding the reference", 1.6}}}};
    const std::string text = stats_text(stats);
    EXPECT_EQ(
        text.substr(text.find('\n') + 1),
        "stats: cuda:0: kernels 50 %\n"
        "stats: cuda:1: kernels 25 %\n"
        "stats: worker 1 on cuda:1: 70 frames, videos opened 1 and moved in 2 times; decoding the reference 80 %");
}

TEST(RunStats, NothingWasScored) {
    RunStats stats = sample();
    stats.scoring_seconds = 0;
    EXPECT_EQ(bottleneck(stats), nullptr);
    EXPECT_EQ(bottleneck({}), nullptr);
}

} // namespace
} // namespace isovmaf::run_stats_test
