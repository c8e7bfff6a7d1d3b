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
    EXPECT_EQ(bottleneck(stats).stage->name, "read_reference");
    EXPECT_EQ(stats_text(stats),
              "stats: videos opened in 0.250 s, session in 0.500 s, scored in 2.000 s; reading the reference 95 %, "
              "features on the CPU 80 %; bottleneck: reading the reference");
    stats.device_seconds = 0.4;
    EXPECT_NE(stats_text(stats).find("videos opened in 0.250 s beside a device in 0.400 s, session"),
              std::string::npos);
    stats.stages[0].seconds = 1;
    EXPECT_EQ(bottleneck(stats).stage->name, "cpu") << "four threads were busy for four fifths of the time";
    stats.stages[1].seconds = 6;
    EXPECT_EQ(bottleneck(stats).stage, nullptr);
    EXPECT_NE(stats_text(stats).find("bottleneck: none, as no stage"), std::string::npos);
}

/// Sixteen threads have three frames to work on.
TEST(RunStats, NamesTheStageThatFramesWaitedFor) {
    RunStats stats{.scoring_seconds = 2,
                   .stages = {{"read_reference", "reading the reference", 0.5, 1, "reading"},
                              {"upload", "uploads to the device", 0.4, 1, "device"},
                              {"kernels", "kernels", 1.8, 3, "device"},
                              {"cpu", "features on the CPU", 5, 16, "cpu", {{"ciede", 4}, {"cambi", 1}}},
                              {"push", "handing frames over", 0.3, 1, "pushing"}},
                   .waits = {{"reading", 0.1}, {"device", 0.3}, {"cpu", 1.3}, {"pushing", 0.3}}};
    ASSERT_NE(bottleneck(stats).stage, nullptr);
    EXPECT_EQ(bottleneck(stats).stage->name, "cpu");
    EXPECT_DOUBLE_EQ(bottleneck(stats).waited, 0.65);
    const auto named = [&] {
        const std::string text = stats_text(stats);
        return text.substr(text.find("bottleneck: "));
    };
    EXPECT_EQ(named(), "bottleneck: features on the CPU, mostly ciede, for which frames waited 65 % of the time");
    stats.stages[3].features = {{"ciede", 2.4}, {"cambi", 2.4}};
    EXPECT_EQ(named(), "bottleneck: features on the CPU, for which frames waited 65 % of the time");
    std::swap(stats.waits[1].seconds, stats.waits[2].seconds);
    EXPECT_EQ(named(), "bottleneck: kernels, for which frames waited 65 % of the time");
    stats.stages[1].seconds = 1.4;
    EXPECT_EQ(named(), "bottleneck: uploads to the device, for which frames waited 65 % of the time");
    stats.waits[1].workers = 2; // two threads waited for 1.3 s together
    EXPECT_EQ(bottleneck(stats).stage, nullptr);
    stats.waits[1].workers = 1;
    stats.stages[0].seconds = 1.7;
    EXPECT_EQ(named(), "bottleneck: reading the reference") << "what is busy nearly all the time comes first";
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
    EXPECT_EQ(bottleneck(stats).stage, nullptr);
    EXPECT_EQ(bottleneck({}).stage, nullptr);
}

} // namespace
} // namespace isovmaf::run_stats_test
