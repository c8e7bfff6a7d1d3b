// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sessions in programs that round otherwise, drop subnormal numbers or trap floating-point exceptions.
#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "base/testing/hostile_environments.hpp"
#include "engine/testing/session_scores.hpp"

namespace isovmaf::hostile_session_test {
namespace {

using isovmaf::testing::hostile_environments;
using isovmaf::testing::HostileEnvironment;
using isovmaf::testing::use_in;

constexpr VideoFormat format{.width = 64, .height = 48};
constexpr int clip_length = 6;

/// Everything that a session says, as bits.
struct Everything {
    std::vector<std::string> names;
    std::vector<std::uint64_t> scores;
    std::vector<std::int64_t> words;

    bool operator==(const Everything &) const = default;
};

void add(Everything &all, double score) { all.scores.push_back(std::bit_cast<std::uint64_t>(score)); }

void add(Everything &all, const FrameScores &frame) {
    for (const double score : frame.scores)
        add(all, score);
    for (const FeatureWords &feature : frame.words)
        all.words.insert(all.words.end(), feature.words.begin(), feature.words.end());
}

void add(Everything &all, const PooledScore &score) {
    for (const double value : {score.min, score.max, score.mean, score.harmonic_mean, score.percentile_1,
                               score.percentile_5, score.percentile_10, score.percentile_25, score.percentile_50,
                               score.percentile_75, score.percentile_95, score.percentile_99})
        add(all, value);
}

/// All of the interface; each call runs as `call` runs it.
template <class Call>
Everything use_session(const SessionOptions &options, const std::vector<FramePair> &clip, const Call &call) {
    Everything all;
    const Result<ExecutionHandle> execution = call([&] { return open_execution(options.execution); });
    Result<Session> session = call([&] { return Session::create(options.format, options.scoring, *execution); });
    for (const FramePair &pair : clip) {
        EXPECT_TRUE(call([&] { return session->push(pair.reference, pair.distorted); }));
        while (const std::optional<FrameScores> scores = call([&] { return session->next_result(); }))
            add(all, *scores);
    }
    EXPECT_TRUE(call([&] { return session->finish(); }));
    while (const std::optional<FrameScores> scores = call([&] { return session->next_result(); }))
        add(all, *scores);
    all.names = call([&] { return session->score_names(); });
    for (const std::string &name : all.names)
        add(all, *call([&] { return session->pooled(name); }));
    for (const auto &[name, score] : call([&] { return session->aggregates(); }))
        add(all, score);

    Result<Session> whole = call([&] { return Session::create(options); });
    EXPECT_TRUE(call([&] {
        return score_video(*whole, read_clip(clip), {.scored = [&](const FrameScores &frame) { add(all, frame); }});
    }));
    return all;
}

std::vector<SessionOptions> places() {
    std::vector<SessionOptions> places;
    for (const char *const backend : {"cpu", "cpu-ref"}) {
        places.push_back(testing::on_cpu(format));
        places.back().execution.backend = backend;
    }
    if (!testing::test_plugin().empty())
        places = {testing::on_device(format)};
    for (SessionOptions &place : places) {
        place.scoring.models.push_back({.version = "vmaf_b_v0.6.3", .name = "members"});
        place.scoring.features.push_back({.name = "adm", .options = {{"adm_enhn_gain_limit", "1.1"}}});
        place.scoring.keep_words = true;
        place.execution.threads = 2;
    }
    return places;
}

TEST(HostileSession, GivesTheSameBitsAndLeavesTheEnvironmentAlone) {
    const std::vector<FramePair> clip = testing::clip_of(format, clip_length);
    for (const SessionOptions &place : places()) {
        const Everything expected = use_session(place, clip, [](const auto &use) { return use(); });
        EXPECT_EQ(expected.names.back(), "members_ci_p95_hi");
        for (const HostileEnvironment &environment : hostile_environments())
            EXPECT_EQ(use_session(place, clip, [&](const auto &use) { return use_in(environment, use); }), expected)
                << environment.name << " on " << place.execution.backend;
    }
}

} // namespace
} // namespace isovmaf::hostile_session_test
