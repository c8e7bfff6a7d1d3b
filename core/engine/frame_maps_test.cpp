// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/frame_maps.hpp"

#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "base/file_io.hpp"
#include "base/hashes.hpp"
#include "base/testing/temporary_folder.hpp"
#include "content/patterns.hpp"
#include "engine/plan/map_request.hpp"
#include "engine/testing/extracted_words.hpp"
#include "engine/testing/session_scores.hpp"

namespace isovmaf::testing::frame_maps_test {
namespace {

constexpr int width = 240, height = 101;
constexpr VideoFormat eight_bits{.width = width, .height = height, .chroma = Chroma::k400};
constexpr VideoFormat ten_bits{.width = width, .height = height, .chroma = Chroma::k400, .bit_depth = 10};

/// Pairs of equal frames.
std::vector<FramePair> clip_with(const VideoFormat &format, const std::function<int(int, int, int)> &level) {
    std::vector<FramePair> clip;
    for (int n = 0; n < 2; n++) {
        const Frame frame = painted_frame(format, default_poison, [&](int, int x, int y) { return level(x, y, n); });
        clip.push_back({frame, frame});
    }
    return clip;
}

/// Bands with a few samples that differ.
std::vector<FramePair> bands() {
    return clip_with(eight_bits, [](int x, int y, int n) {
        return 20 + (x / (13 + n) + y / 11) % 6 + ((7919 * x + 104729 * y + 31 * n) % 503 == 0 ? 1 : 0);
    });
}

/// One step of eight codes, in a zigzag: the strongest contrast that the options look for.
std::vector<FramePair> edge() {
    return clip_with(ten_bits, [](int x, int y, int n) { return x < 100 + n - y / 9 % 2 ? 400 : 408; });
}

constexpr const char *files[] = {"cambi_heatmap_scale_0_240x101_16b.gray", "cambi_heatmap_scale_1_120x51_16b.gray",
                                 "cambi_heatmap_scale_2_60x26_16b.gray", "cambi_heatmap_scale_3_30x13_16b.gray",
                                 "cambi_heatmap_scale_4_15x7_16b.gray"};

/// What a session writes to the file of each scale.
std::vector<std::string> written(const std::vector<FramePair> &clip, OptionTexts options, const std::string &backend) {
    const TemporaryFolder folder;
    options.emplace_back("heatmaps_path", folder.file("maps"));
    const Result<Outcome> outcome = score({.format = clip.front().reference.format(),
                                           .scoring = {.features = {{"cambi", options}}},
                                           .execution = {.backend = backend, .threads = 2}},
                                          clip);
    EXPECT_TRUE(outcome) << outcome.error().message;
    std::vector<std::string> texts;
    for (const char *file : files)
        EXPECT_EQ(read_whole_file(folder.file(std::string("maps/") + file), texts.emplace_back()), 0) << file;
    return texts;
}

std::string digest(const std::string &bytes) {
    Sha256 hash;
    hash.add(std::as_bytes(std::span(bytes)));
    return std::move(hash).hex();
}

/// libvmaf 3.2.0 (of PyPI's av 19.0.2) wrote files with these digests for the same frames and options.
TEST(MapsOfCambi, AreLibvmafsByteForByte) {
    const std::vector<std::string> of_bands{"37cdda0be6ce82944bb218049e65cfe3c1187738fb8e75c710432aa93cd6e12f",
                                            "3a355e5eeeaf461374502bdde60027957b6f781075586cadb2ddd3b8f38dface",
                                            "7c50f94cb11a8c4d9a26a9946fe7c08c925073d4066cce00d576f492fc64c89b",
                                            "8f968c6cef070454c0f3ed203144d769cfdd91c59f7ea718ff72bb927c6a61c4",
                                            "efc4bfc0ebf86ac3b5d828dd3e8f67803ebd9a88e8787598b8a2d456037fb4f2"};
    const std::vector<std::string> of_edge{"fb90881044ca22be77c9cc3a71cee81c34747e303d53fc2bf89dd7c6b49d64c7",
                                           "525f19fb149a31a3a665350d7245c7ba6dcfb1bf36700d93ce3fe5c61b317c69",
                                           "5dd2759c5d40dac5b7b01ad155893e3aeaab79683344126353d0eebc1a0ab0b9",
                                           "4ae9a7770ccec9649b5db2c32e83bf18ad871c78d199ef56e99794b5291daa84",
                                           "1ceb82778696ebb71d14776138f8a4891896dc8c087c48f4654df2d11789eee3"};
    for (const char *backend : {"cpu", "cpu-ref"}) {
        const std::vector<std::string> bands_maps = written(bands(), {}, backend);
        const std::vector<std::string> edge_maps = written(edge(), {{"max_log_contrast", "3"}}, backend);
        for (std::size_t scale = 0; scale < std::size(files); scale++) {
            EXPECT_EQ(digest(bands_maps[scale]), of_bands[scale]) << backend << ", scale " << scale;
            EXPECT_EQ(digest(edge_maps[scale]), of_edge[scale]) << backend << ", scale " << scale;
        }
    }
}

/// The window of this size is 3 samples wide and the largest weight 4: 4 * 3 * 3 / 4 = 9.
TEST(MapsOfCambi, HoldTheCValuesOfTheDefinition) {
    constexpr double largest = 9;
    const std::vector<FramePair> clip = bands();
    const std::vector<std::string> maps = written(clip, {}, "cpu");
    const EnginePlan engine_plan = plan_of({.format = eight_bits, .scoring = {.features = {{"cambi", {}}}}});
    const FeaturePlan &plan = engine_plan.features[0].plan;
    for (std::size_t n = 0; n < clip.size(); n++) {
        StageMemory memory(plan.stages);
        Workspace workspace;
        std::vector<std::int64_t> words(plan.extracted().size());
        plan.definition->extract(
            FrameWindow{.pair = clip[n], .earlier_reference = {}, .earlier_distorted = {}}.pictures(), workspace, words,
            memory.taps());
        for (std::size_t scale = 0; scale < std::size(files); scale++) {
            const auto stage =
                std::ranges::find(plan.stages, "scale " + std::to_string(scale) + ": c-values", &Stage::name);
            ASSERT_NE(stage, plan.stages.end());
            const auto c_values = memory.plane(static_cast<std::size_t>(stage - plan.stages.begin()));
            ASSERT_EQ(maps[scale].size(), 2 * clip.size() * c_values.size());
            for (std::size_t i = 0; i < c_values.size(); i++) {
                std::uint16_t sample = 0;
                std::memcpy(&sample, &maps[scale][2 * (n * c_values.size() + i)], 2);
                ASSERT_EQ(sample, static_cast<int>(f32_of(c_values[i]) * (65535 / largest))) << scale << ", " << i;
            }
        }
    }
}

TEST(FrameMaps, AreSharesOfTheLargestValue) {
    const std::vector<FramePair> clip = bands();
    const ScoringOptions options{.features = {{"psnr", {}}, {"cambi", {}}}};
    const std::unique_ptr<FrameMaps> maps = FrameMaps::create(eight_bits, options).value();
    ASSERT_NE(maps, nullptr);
    EXPECT_EQ(maps->feature(), "cambi");
    const std::vector<std::string> samples = written(clip, {}, "cpu");
    for (std::size_t n : {1u, 0u}) {
        const std::vector<MapShares> found = maps->extract(clip[n]);
        ASSERT_EQ(found.size(), std::size(files));
        EXPECT_EQ(std::pair(found[2].width, found[2].height), std::pair(60, 26));
        for (std::size_t i = 0; i < 60 * 26; i++) {
            std::uint16_t sample = 0;
            std::memcpy(&sample, &samples[2][2 * (n * 60 * 26 + i)], 2);
            ASSERT_NEAR(found[2].shares[i], sample / 65535., 2e-5) << i;
        }
    }
}

TEST(FrameMaps, AreNoneWithoutAFeatureThatHasMaps) {
    EXPECT_EQ(FrameMaps::create(eight_bits, {.features = {{"psnr", {}}}}).value(), nullptr);
}

TEST(WithoutMaps, LeavesAllOtherOptions) {
    const ScoringOptions options{.features = {{"cambi", {{"heatmaps_path", "maps"}, {"ws", "33"}}}, {"psnr", {}}}};
    const std::vector<FeatureRequest> left = without_maps(options).features;
    ASSERT_EQ(left.size(), 2u);
    EXPECT_EQ(left[0].name, "cambi");
    EXPECT_EQ(left[0].options, (OptionTexts{{"ws", "33"}}));
    EXPECT_EQ(left[1].name, "psnr");
}

TEST(FrameMaps, AreRefusedByLaterSegmentsAndScoresOfWords) {
    const ScoringOptions options{.features = {{"cambi", {{"heatmaps_path", "maps"}}}}};
    const Result<SegmentExtraction> segment = segment_of({.format = eight_bits, .scoring = options}, 1);
    ASSERT_FALSE(segment);
    EXPECT_NE(segment.error().message.find("feature cambi writes maps of whole videos alone (heatmaps_path)"),
              std::string::npos);
    EXPECT_NE(SegmentScorer::create(options).error().message.find("words hold no maps"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists("maps"));
}

} // namespace
} // namespace isovmaf::testing::frame_maps_test
