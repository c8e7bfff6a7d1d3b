// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/videos_table.hpp"

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

ScoreTable table(std::vector<std::string> names, std::vector<std::vector<double>> frames) {
    ScoreTable scores;
    scores.sources = names;
    scores.names = std::move(names);
    for (std::size_t i = 0; i < frames.size(); i++)
        scores.frames.push_back({.frame = static_cast<std::int64_t>(i), .scores = std::move(frames[i])});
    return scores;
}

TEST(VideosTable, HasARowForEachVideo) {
    const ScoreTable good = table({"integer_motion", "vmaf", "vmaf_neg"}, {{1, 90, 80}, {2, 100, 82}}),
                     poor = table({"integer_motion", "vmaf", "vmaf_neg"}, {{1, 20.5, 10}});
    const std::string name = "good.mkv", control = "po\nor.mkv";
    EXPECT_EQ(videos_table(std::vector<VideoScores>{{name, good, 1}, {control, poor, 1}}),
              "               frames     vmaf      min      5 % vmaf_neg\n"
              "good.mkv            2  95.0000  90.0000  90.5000  81.0000\n"
              "po\\x0aor.mkv        1  20.5000  20.5000  20.5000  10.0000\n");
}

TEST(VideosTable, SaysWhichModelsTheScoresAreOf) {
    const ScoreTable scores = table({"vmaf", "vmaf_neg"}, {{90, 80}});
    const std::string name = "a.mkv", other = "b.mkv";
    const std::vector<std::string> hd{"vmaf_v0.6.1", "my.json"}, uhd{"vmaf_4k_v0.6.1", ""};
    const std::string text =
        videos_table(std::vector<VideoScores>{{name, scores, 0, hd}, {other, scores, 0, uhd}, {name, scores, 0, hd}});
    EXPECT_TRUE(text.ends_with("80.0000\n\nvmaf: model vmaf_v0.6.1\nvmaf_neg: model my.json\n"
                               "vmaf: model vmaf_4k_v0.6.1\n"))
        << text;
}

TEST(VideosTable, TakesOtherScoresAndLongNames) {
    const ScoreTable colour = table({"psnr_y", "psnr_cb"}, {{30, 40}}), gray = table({"psnr_y"}, {{31}});
    const std::string name = "c.y4m", longer(40, 'g');
    EXPECT_EQ(videos_table(std::vector<VideoScores>{{name, colour, 2}, {longer, gray, 1}}),
              "                                   frames   psnr_y      min      5 %  psnr_cb\n"
              "c.y4m                                   1  30.0000  30.0000  30.0000  40.0000\n" +
                  longer + "\n" + "                                        1  31.0000  31.0000  31.0000        -\n");
}

} // namespace
} // namespace isovmaf
