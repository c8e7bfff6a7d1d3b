// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/isovmaf.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "content/patterns.hpp"

namespace isovmaf::session_test {
namespace {

constexpr VideoFormat format{.width = 176, .height = 144};
constexpr int clip_length = 7;

Session make_session(const SessionOptions &options) {
    Result<Session> session = Session::create(options);
    EXPECT_TRUE(session) << session.error().message;
    return *std::move(session);
}

std::vector<FrameScores> take_all(Session &session) {
    std::vector<FrameScores> all;
    while (std::optional<FrameScores> scores = session.next_result())
        all.push_back(*std::move(scores));
    return all;
}

std::vector<FrameScores> score_clip(const SessionOptions &options, int frames = clip_length) {
    Session session = make_session(options);
    GeneratedClip clip(options.format);
    for (int n = 0; n < frames; n++) {
        const FramePair pair = clip.frame(static_cast<std::uint32_t>(n));
        EXPECT_TRUE(session.push(pair.reference, pair.distorted));
    }
    EXPECT_TRUE(session.finish());
    return take_all(session);
}

void expect_equal(const std::vector<FrameScores> &a, const std::vector<FrameScores> &b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); i++) {
        EXPECT_EQ(a[i].frame, b[i].frame);
        EXPECT_EQ(a[i].scores, b[i].scores);
    }
}

TEST(Session, HandsOutTheSumsBehindTheScoresWhenAsked) {
    SessionOptions options{.format = format, .scoring = {.features = {{"psnr", {}}, {"motion", {}}}}};
    for (const FrameScores &frame : score_clip(options))
        EXPECT_TRUE(frame.words.empty());
    options.scoring.keep_words = true;
    options.scoring.subsample = 2;
    const std::vector<FrameScores> kept = score_clip(options);
    ASSERT_EQ(kept.size(), 4u);
    for (const FrameScores &frame : kept) {
        ASSERT_EQ(frame.words.size(), 2u);
        EXPECT_EQ(frame.words[0].feature, "psnr");
        EXPECT_EQ(frame.words[0].words.size(), 3u);
        EXPECT_GT(frame.words[0].words[0], 0);
        EXPECT_EQ(frame.words[1].feature, "motion");
    }
}

TEST(Session, TellsWhatEachWordIs) {
    SessionOptions options{.format = format,
                           .scoring = {.features = {{"psnr", {}}, {"motion", {}}}, .keep_words = true}};
    const std::vector<FeatureWordSpecs> specs = make_session(options).words();
    ASSERT_EQ(specs.size(), 2u);
    EXPECT_EQ(specs[0].feature, "psnr");
    EXPECT_EQ(specs[0].words,
              (std::vector<WordSpec>{{"squared error of Y"}, {"squared error of Cb"}, {"squared error of Cr"}}));
    for (const FrameScores &frame : score_clip(options))
        for (std::size_t f = 0; f < specs.size(); f++) {
            EXPECT_EQ(frame.words[f].feature, specs[f].feature);
            EXPECT_EQ(frame.words[f].words.size(), specs[f].words.size());
        }
}

TEST(Session, TellsWhereEachScoreComesFrom) {
    const Session session = make_session(
        {.format = format, .scoring = {.models = {ModelRequest{.name = "quality"}}, .features = {{"psnr", {}}}}});
    const std::vector<std::string> &names = session.score_names(), &sources = session.score_sources();
    ASSERT_EQ(names.size(), sources.size());
    for (std::size_t i = 0; i < names.size(); i++) {
        const std::string expected = names[i].starts_with("psnr")                   ? "psnr"
                                     : names[i] == "quality"                        ? "quality"
                                     : names[i].find("motion") != std::string::npos ? "motion"
                                     : names[i].starts_with("integer_vif")          ? "vif"
                                                                                    : "adm";
        EXPECT_EQ(sources[i], expected) << names[i];
    }
}

TEST(Session, ScoresDoNotDependOnTheThreadCount) {
    SessionOptions options{.format = format, .scoring = {.models = {ModelRequest{}}}, .execution = {.threads = 1}};
    const std::vector<FrameScores> one = score_clip(options);
    ASSERT_EQ(one.size(), static_cast<std::size_t>(clip_length));
    for (const FrameScores &frame : one)
        for (const double score : frame.scores)
            EXPECT_TRUE(std::isfinite(score));
    for (const int threads : {2, 3, 8}) {
        options.execution.threads = threads;
        expect_equal(one, score_clip(options));
    }
}

TEST(Session, FramesWithoutAnOwnerAreCopied) {
    const SessionOptions options{.format = format, .scoring = {.features = {{.name = "motion"}, {.name = "psnr"}}}};
    Session session = make_session(options);
    GeneratedClip clip(format);
    std::vector<std::uint8_t> memory[6];
    for (int n = 0; n < clip_length; n++) {
        const FramePair pair = clip.frame(static_cast<std::uint32_t>(n));
        Frame unowned[2];
        for (std::size_t side = 0; side < 2; side++) {
            std::array<const void *, 3> data{};
            std::array<std::ptrdiff_t, 3> stride_bytes{};
            for (std::size_t p = 0; p < 3; p++) { // tightly packed copies in memory that every frame overwrites
                const Plane plane = (side ? pair.distorted : pair.reference).plane(static_cast<int>(p));
                std::vector<std::uint8_t> &packed = memory[side * 3 + p];
                packed.clear();
                for (int y = 0; y < plane.height; y++)
                    packed.insert(packed.end(), plane.row<std::uint8_t>(y), plane.row<std::uint8_t>(y) + plane.width);
                data[p] = packed.data();
                stride_bytes[p] = plane.width;
            }
            unowned[side] = Frame(format, nullptr, data, stride_bytes);
        }
        ASSERT_TRUE(session.push(unowned[0], unowned[1]));
    }
    ASSERT_TRUE(session.finish());
    expect_equal(take_all(session), score_clip(options));
}

TEST(Session, ResultsComeInOrderWhileFramesArePushed) {
    Session session =
        make_session({.format = format, .scoring = {.features = {{.name = "motion"}}}, .execution = {.threads = 2}});
    GeneratedClip clip(format);
    std::int64_t next = 0;
    for (int n = 0; n < 30; n++) {
        const FramePair pair = clip.frame(static_cast<std::uint32_t>(n));
        ASSERT_TRUE(session.push(pair.reference, pair.distorted));
        for (const FrameScores &scores : take_all(session))
            EXPECT_EQ(scores.frame, next++);
    }
    EXPECT_GT(next, 20); // all but the frames in flight and the one that motion2 waits for
    ASSERT_TRUE(session.finish());
    for (const FrameScores &scores : take_all(session))
        EXPECT_EQ(scores.frame, next++);
    EXPECT_EQ(next, 30);
}

TEST(Session, SubsamplingScoresEveryNthFrameOfTheSameMotion) {
    SessionOptions options{.format = format, .scoring = {.models = {ModelRequest{}}}};
    const std::vector<FrameScores> all = score_clip(options);
    options.scoring.subsample = 3;
    const std::vector<FrameScores> some = score_clip(options);
    ASSERT_EQ(some.size(), 3u);
    for (std::size_t i = 0; i < some.size(); i++) {
        EXPECT_EQ(some[i].frame, static_cast<std::int64_t>(3 * i));
        EXPECT_EQ(some[i].scores, all[3 * i].scores);
    }
}

TEST(Session, TwoSessionsAreIndependent) {
    const SessionOptions small{.format = format, .scoring = {.features = {{.name = "motion"}}}};
    const SessionOptions large{.format = {.width = 321, .height = 183, .bit_depth = 10},
                               .scoring = {.features = {{.name = "motion", .options = {{"mffw", "true"}}}}}};
    Session a = make_session(small), b = make_session(large);
    GeneratedClip clip_a(small.format), clip_b(large.format);
    for (std::uint32_t n = 0; n < clip_length; n++) {
        const FramePair pair_a = clip_a.frame(n), pair_b = clip_b.frame(n);
        ASSERT_TRUE(a.push(pair_a.reference, pair_a.distorted));
        ASSERT_TRUE(b.push(pair_b.reference, pair_b.distorted));
    }
    ASSERT_TRUE(b.finish());
    ASSERT_TRUE(a.finish());
    expect_equal(take_all(a), score_clip(small));
    expect_equal(take_all(b), score_clip(large));
}

TEST(Session, PoolsAfterFinish) {
    Session session = make_session({.format = format, .scoring = {.features = {{.name = "psnr"}}}});
    EXPECT_FALSE(session.pooled("psnr_y"));
    const FramePair pair = GeneratedClip(format).frame(0);
    ASSERT_TRUE(session.push(pair.reference, pair.reference));
    ASSERT_TRUE(session.finish());
    EXPECT_EQ(session.pooled("psnr_y")->mean, 60.0); // identical pictures: the cap of 8-bit video
    EXPECT_FALSE(session.pooled("psnr_z"));
}

/// Frame 1 has a sample above 10 bit in a plane of the distorted picture: the error's sentence, or nothing.
std::string push_large_sample(const std::vector<FeatureRequest> &features, int plane, bool owned) {
    const VideoFormat deep{.width = 64, .height = 48, .bit_depth = 10};
    Session session = make_session({.format = deep, .scoring = {.features = features}});
    const Frame good = constant_frame(deep, 1023);
    EXPECT_TRUE(session.push(good, good));
    const Frame large = painted_frame(
        deep, default_poison, [&](int p, int x, int y) { return p == plane && x == 5 && y == 7 ? 1024U : 1023U; });
    std::array<const void *, 3> data{};
    std::array<std::ptrdiff_t, 3> stride_bytes{};
    for (std::size_t p = 0; p < 3; p++) {
        data[p] = large.plane(static_cast<int>(p)).data;
        stride_bytes[p] = large.plane(static_cast<int>(p)).stride_bytes;
    }
    const Result<void> pushed = session.push(good, owned ? large : Frame(deep, nullptr, data, stride_bytes));
    EXPECT_TRUE(session.push(good, good)) << "the session goes on";
    EXPECT_TRUE(session.finish());
    EXPECT_EQ(session.scores().frames.size(), pushed ? 3U : 2U);
    return pushed ? "" : pushed.error().message;
}

TEST(Session, RefusesSamplesAboveTheBitDepthInPlanesThatAreRead) {
    for (const bool owned : {false, true}) {
        EXPECT_EQ(push_large_sample({{.name = "motion"}}, 0, owned),
                  "frame 1 of the distorted video has samples above 1023 in row 7 of plane 0, too large for 10 bit; "
                  "check the bit depth of the video");
        EXPECT_NE(push_large_sample({{.name = "psnr"}}, 2, owned), "");
        EXPECT_EQ(push_large_sample({{.name = "motion"}}, 2, owned), "") << "motion reads luma alone";
    }
}

TEST(Session, WithoutFramesHasNoScore) {
    Session session = make_session({.format = format, .scoring = {.features = {{.name = "psnr"}}}});
    ASSERT_TRUE(session.finish());
    EXPECT_EQ(session.pooled("psnr_y").error().message,
              "there is no score psnr_y of a session that got no frames: push at least one pair before finish");
}

TEST(Session, MisuseIsAnError) {
    const auto message = [](const SessionOptions &options) {
        const Result<Session> session = Session::create(options);
        return session ? std::string("created") : session.error().message;
    };
    const std::vector<FeatureRequest> psnr{{.name = "psnr"}};
    EXPECT_NE(message({.format = format}).find("nothing to score"), std::string::npos);
    EXPECT_NE(message({.format = {.width = 0, .height = 1}, .scoring = {.features = psnr}}).find("width"),
              std::string::npos);
    EXPECT_NE(message({.format = format, .scoring = {.features = {{.name = "sharpness"}}}}).find("motion"),
              std::string::npos);
    EXPECT_NE(message({.format = format, .scoring = {.features = psnr, .subsample = 0}}).find("subsample"),
              std::string::npos);
    EXPECT_NE(message({.format = format, .scoring = {.features = psnr}, .execution = {.threads = -1}}).find("threads"),
              std::string::npos);
    EXPECT_NE(message({.format = format, .scoring = {.models = {ModelRequest{}, ModelRequest{}}}}).find("two models"),
              std::string::npos);

    Session session = make_session({.format = format, .scoring = {.features = psnr}});
    EXPECT_EQ(session.push({}, {}).error().message.find("a frame is empty, but the session scores"), 0U);
    EXPECT_FALSE(session.push(Frame(format, nullptr, {}, {}), Frame(format, nullptr, {}, {}))) << "null pointers";
    const FramePair pair = GeneratedClip(format).frame(0);
    VideoFormat other = format;
    other.height++;
    const Frame larger = GeneratedClip(other).frame(0).distorted;
    const Result<void> pushed = session.push(pair.reference, larger);
    ASSERT_FALSE(pushed);
    EXPECT_EQ(pushed.error().code, ErrorCode::mismatch);
    EXPECT_EQ(pair.reference.owner().use_count(), 1) << "a frame that was refused is held";
    ASSERT_TRUE(session.push(pair.reference, pair.distorted));
    ASSERT_TRUE(session.finish());
    EXPECT_FALSE(session.push(pair.reference, pair.distorted));
}

} // namespace
} // namespace isovmaf::session_test
