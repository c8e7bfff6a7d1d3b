// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/try.hpp"
#include "content/patterns.hpp"
#include "device/plugin.hpp"
#include "engine/feed.hpp"
#include "engine/words/segments.hpp"
#include "isovmaf/score_video.hpp"

/// Sessions on the backend that ISOVMAF_TEST_PLUGIN names, and the same on the CPU.
namespace isovmaf::testing {

inline SessionOptions on_cpu(const VideoFormat &format) {
    SessionOptions options{.format = format, .scoring = {.models = {ModelRequest{}}}};
    options.scoring.features.push_back({.name = "psnr"});
    options.scoring.features.push_back({.name = "motion", .options = {{"motion_five_frame_window", "true"}}});
    return options;
}

inline std::filesystem::path test_plugin() {
    const char *const path = std::getenv("ISOVMAF_TEST_PLUGIN");
    return path ? path : "";
}

inline SessionOptions on_device(const VideoFormat &format) {
    SessionOptions options = on_cpu(format);
    const std::filesystem::path plugin = test_plugin();
    options.execution.backend = (*Plugin::open(plugin))->name();
    options.execution.backend_folders = {plugin.parent_path().string()};
    return options;
}

inline Result<SegmentExtraction> segment_of(const SessionOptions &options, std::int64_t first_frame,
                                            std::size_t members = 1) {
    const ExecutionHandle execution = TRY(open_execution(options.execution));
    return SegmentExtraction::create(options.format, options.scoring, execution, first_frame, members);
}

inline std::vector<FramePair> clip_of(const VideoFormat &format, int frames) {
    GeneratedClip generator(format);
    std::vector<FramePair> clip;
    for (int n = 0; n < frames; n++)
        clip.push_back(generator.frame(static_cast<std::uint32_t>(n)));
    return clip;
}

/// Every score of every frame, and the aggregates.
struct Outcome {
    std::vector<FrameScores> frames;
    std::vector<std::pair<std::string, double>> aggregates;
    Execution execution;
};

inline Result<Outcome> score(Session &session, const PairReader &pairs) {
    Outcome outcome;
    TRY(score_video(session, pairs,
                    {.scored = [&](FrameScores scores) { outcome.frames.push_back(std::move(scores)); }}));
    outcome.aggregates = session.aggregates();
    outcome.execution = session.execution();
    return outcome;
}

inline Result<Outcome> score(const SessionOptions &options, const std::vector<FramePair> &clip) {
    Session session = TRY(Session::create(options));
    return score(session, read_clip(clip));
}

inline void expect_equal(const Result<Outcome> &found, const Result<Outcome> &expected) {
    ASSERT_TRUE(expected) << expected.error().message;
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->frames.size(), expected->frames.size());
    for (std::size_t n = 0; n < found->frames.size(); n++) {
        EXPECT_EQ(found->frames[n].frame, expected->frames[n].frame);
        EXPECT_EQ(found->frames[n].scores, expected->frames[n].scores) << "frame " << n;
    }
    EXPECT_EQ(found->aggregates, expected->aggregates);
}

} // namespace isovmaf::testing
