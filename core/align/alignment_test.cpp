// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "align/alignment.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "align/offset_costs.hpp"
#include "content/patterns.hpp"

namespace isovmaf::alignment_test {

namespace {

constexpr VideoFormat tiny{.width = 64, .height = 36, .chroma = Chroma::k400};
constexpr int frames = 48;

/// A kind of content: a texture that moves, in front of it a square, cuts and fades.
struct Content {
    double pan_x, pan_y; ///< samples per frame
    double zoom;         ///< per frame, of the texture
    double square;       ///< samples per frame that the square moves; 0: no square
    int cut_every;       ///< frames; 0: no cuts
    int fade;            ///< levels per frame
    int hold;            ///< each picture is shown so many times, as in animation
    int noise;           ///< of the distorted video, in levels
};

constexpr std::array<Content, 20> contents{{
    {2, 0, 0, 0, 0, 0, 1, 2},     {0, 1, 0, 0, 0, 0, 1, 2},        {0.6, 0.4, 0, 0, 0, 0, 1, 1},
    {-4, 3, 0, 0, 0, 0, 1, 6},    {0, 1, 0.02, 0, 0, 0, 1, 2},     {1, 0, -0.02, 0, 0, 0, 1, 4},
    {0, 0, 0, 1, 0, 0, 1, 2},     {0, 0, 0, 3, 0, 0, 1, 6},        {1, 1, 0, 2, 0, 0, 1, 2},
    {2, 0, 0, 0, 12, 0, 1, 2},    {0.5, 0, 0, 0, 7, 0, 1, 4},      {0, 0, 0, 1, 16, 0, 1, 2},
    {1, 0, 0, 0, 0, 1, 1, 2},     {0, 0, 0, 2, 0, 2, 1, 2},        {2, 0, 0, 0, 0, 0, 2, 2},
    {0, 3, 0, 0, 0, 0, 3, 2},     {8, 0, 0, 0, 0, 0, 1, 8},        {0.7, -0.4, 0, 0, 0, 0, 1, 8},
    {0, 0, 0.03, 2, 20, 0, 1, 4}, {-1, 0.5, 0.005, 1, 0, 0, 1, 2},
}};

/// Smooth, without a period within the picture.
double texture(double x, double y, int scene) {
    return 120 + 30 * std::sin(x / 5.3 + scene) + 25 * std::sin(y / 3.7 - x / 11.1 + 2 * scene) +
           20 * std::sin((x + y) / 7.9 + std::sin(x / 13.7)) + 15 * std::sin(y / 9.1 + scene);
}

double sample_of(const Content &content, int frame, int x, int y) {
    const int shown = frame / content.hold * content.hold;
    const int scene = content.cut_every > 0 ? shown / content.cut_every : 0;
    const double scale = 1 + content.zoom * shown;
    double value = texture((x - 32) * scale + content.pan_x * shown, (y - 18) * scale + content.pan_y * shown, scene);
    const double left = std::fmod(5 + content.square * shown, 48);
    if (content.square > 0 && x >= left && x < left + 12 && y >= 10 && y < 22)
        value = 230;
    return value + content.fade * shown;
}

struct Clip {
    std::vector<Thumbnail> reference, distorted;
};

/// The distorted video is darker, coarser and noisy.
Clip clip_of(const Content &content) {
    Clip clip;
    std::mt19937 random(7);
    const auto level = [](double value) { return static_cast<std::uint32_t>(std::clamp(value, 0.0, 255.0)); };
    for (int n = 0; n < frames + 8; n++) {
        clip.reference.push_back(make_thumbnail(painted_frame(
            tiny, default_poison, [&](int, int x, int y) { return level(sample_of(content, n, x, y)); })));
        clip.distorted.push_back(make_thumbnail(painted_frame(tiny, default_poison, [&](int, int x, int y) {
            const auto noise = static_cast<double>(static_cast<int>(random() % static_cast<unsigned>(content.noise)));
            return level(std::floor(sample_of(content, n, x, y) * 0.9 / 4) * 4 + noise);
        })));
    }
    return clip;
}

/// The parts that are found when pair n consists of reference frame `reference_of(n)` and distorted frame
/// `distorted_of(n)`.
template <class ReferenceOf, class DistortedOf>
std::vector<AlignedPart> parts_of(const Clip &clip, ReferenceOf reference_of, DistortedOf distorted_of) {
    OffsetCosts costs(8);
    for (int n = 0; n < frames; n++)
        costs.add(clip.reference[static_cast<std::size_t>(reference_of(n))],
                  clip.distorted[static_cast<std::size_t>(distorted_of(n))]);
    return find_alignment(costs);
}

int same(int n) { return n; }

TEST(Alignment, FindsOffsetsAndLostFramesInTwentyKindsOfContent) {
    for (std::size_t kind = 0; kind < contents.size(); kind++) {
        const Clip clip = clip_of(contents[kind]);
        EXPECT_TRUE(is_aligned(parts_of(clip, same, same))) << "content " << kind;
        for (int late = -5; late <= 5; late++) {
            const auto parts = parts_of(
                clip, [late](int n) { return n + std::max(late, 0); },
                [late](int n) { return n + std::max(-late, 0); });
            EXPECT_EQ(parts.size(), 1u) << "content " << kind << " offset " << late;
            EXPECT_EQ(parts.back().offset, late) << "content " << kind;
        }
        const auto dropped = parts_of(clip, same, [](int n) { return n < 20 ? n : n + 1; });
        EXPECT_EQ(dropped.size(), 2u) << "content " << kind;
        EXPECT_EQ(dropped.front().offset, 0) << "content " << kind;
        EXPECT_EQ(dropped.back().offset, -1) << "content " << kind;
        EXPECT_NEAR(static_cast<double>(dropped.back().first_frame), 20, 2) << "content " << kind;
    }
}

TEST(Alignment, FindsARepeatedFrameAndTwoChanges) {
    const Clip clip = clip_of(contents[0]);
    const auto repeated = parts_of(clip, same, [](int n) { return n < 20 ? n : n - 1; });
    ASSERT_EQ(repeated.size(), 2u);
    EXPECT_EQ(repeated[1].offset, 1);
    const auto twice = parts_of(clip, same, [](int n) { return n < 15 ? n : n < 30 ? n + 1 : n + 3; });
    ASSERT_EQ(twice.size(), 3u);
    EXPECT_EQ(twice[1].offset, -1);
    EXPECT_EQ(twice[2].offset, -3);
    EXPECT_LT(twice[2].difference, 0.5 * twice[2].difference_before);
}

/// A clip whose distorted pictures are a mixture of a picture and the one before it, as low qualities make them.
Clip late_clip(double lag) {
    const auto painted = [&](auto value) {
        return make_thumbnail(painted_frame(tiny, default_poison, [&](int, int x, int y) {
            return static_cast<std::uint32_t>(std::clamp(value(x, y), 0.0, 255.0));
        }));
    };
    const auto moving = [](int n, int x, int y) { return sample_of(contents[2], n, x, y); };
    Clip clip;
    for (int n = 0; n < frames + 8; n++) {
        clip.reference.push_back(painted([&](int x, int y) { return moving(n, x, y); }));
        clip.distorted.push_back(
            painted([&](int x, int y) { return (1 - lag) * moving(n, x, y) + lag * moving(n - 1, x, y); }));
    }
    return clip;
}

TEST(Alignment, TakesTheLagOfAnEncoderForNoOffset) {
    for (const double lag : {0.3, 0.6}) {
        const Clip clip = late_clip(lag);
        EXPECT_TRUE(is_aligned(parts_of(clip, same, same))) << lag;
        for (const int early : {2, 3})
            EXPECT_EQ(parts_of(clip, same, [=](int n) { return n + early; }).front().offset, -early) << lag;
        for (const int late : {1, 3})
            EXPECT_EQ(parts_of(
                          clip, [=](int n) { return n + late; }, same)
                          .front()
                          .offset,
                      late)
                << lag;
    }
}

TEST(Alignment, IsSilentWhenErrorsHideTheMotion) {
    // An error that pans with the pictures, but by another distance: they fit a wrong offset best.
    const Clip moving = clip_of({0.1, 0, 0, 0, 0, 0, 1, 1});
    Clip wrong = moving;
    for (std::size_t n = 0; n < wrong.distorted.size(); n++)
        for (std::size_t i = 0; i < wrong.distorted[n].samples.size(); i++)
            wrong.distorted[n].samples[i] =
                static_cast<std::int16_t>(moving.distorted[n].samples[i] + (i % 2 == 0 ? 3 : -3) * Thumbnail::levels);
    for (int late = 0; late <= 3; late++)
        EXPECT_TRUE(is_aligned(parts_of(
            wrong, [=](int n) { return n + late; }, same)))
            << late;
}

TEST(Alignment, IsSilentWhenPicturesSayNothing) {
    const Clip still = clip_of({0, 0, 0, 0, 0, 0, 1, 8});
    EXPECT_TRUE(is_aligned(parts_of(still, same, [](int n) { return n + 3; })));
    const Clip moving = clip_of(contents[0]), other = clip_of(contents[3]);
    EXPECT_TRUE(is_aligned(parts_of({moving.reference, other.distorted}, same, same))) << "unrelated videos";
    OffsetCosts few(8);
    for (std::size_t n = 0; n < 7; n++)
        few.add(moving.reference[n], moving.distorted[n + 2]);
    EXPECT_TRUE(is_aligned(find_alignment(few))) << "seven frames";
    EXPECT_TRUE(is_aligned(find_alignment(OffsetCosts(8)))) << "no frame";
}

TEST(OffsetCosts, AreThoseOfTheFramesThatTheyName) {
    const Clip clip = clip_of(contents[8]);
    OffsetCosts costs(2);
    for (std::size_t n = 0; n < 6; n++)
        costs.add(clip.reference[n], clip.distorted[n]);
    EXPECT_EQ(costs.frames(), 6u);
    EXPECT_EQ(costs.cost(3, 0), difference(clip.reference[3], clip.distorted[3]));
    EXPECT_EQ(costs.cost(3, 2), difference(clip.reference[3], clip.distorted[5]));
    EXPECT_EQ(costs.cost(3, -2), difference(clip.reference[3], clip.distorted[1]));
    EXPECT_EQ(costs.cost(4, 2), std::nullopt);
    EXPECT_EQ(costs.cost(1, -2), std::nullopt);
    EXPECT_EQ(costs.motion(0), 0);
    EXPECT_EQ(costs.motion(5), difference(clip.reference[5], clip.reference[4]));
}

TEST(OffsetCosts, KnowFramesWithoutPartner) {
    const Clip clip = clip_of(contents[8]);
    OffsetCosts costs(2);
    for (std::size_t n = 0; n < 4; n++) {
        costs.add(clip.reference[n], clip.distorted[2 * n]);
        costs.add_unpaired(clip.distorted[2 * n + 1]);
    }
    EXPECT_EQ(costs.frames(), 4u);
    EXPECT_EQ(costs.cost(2, 0), difference(clip.reference[2], clip.distorted[4]));
    EXPECT_EQ(costs.cost(2, 1), difference(clip.reference[2], clip.distorted[5]));
    EXPECT_EQ(costs.cost(2, 2), difference(clip.reference[2], clip.distorted[6]));
    EXPECT_EQ(costs.cost(2, -1), difference(clip.reference[2], clip.distorted[3]));
    EXPECT_EQ(costs.cost(3, 2), std::nullopt);
    EXPECT_EQ(costs.motion(3), difference(clip.reference[3], clip.reference[2]));
}

TEST(Thumbnail, IsTheSameForAllDepthsAndIgnoresBrightness) {
    const auto ramp = [](int, int x, int y) { return static_cast<std::uint32_t>(x + y); };
    const Thumbnail eight = make_thumbnail(painted_frame(tiny, 0, ramp));
    VideoFormat deep = tiny;
    for (const int bits : {10, 16}) {
        deep.bit_depth = bits;
        const auto scaled = [&](int p, int x, int y) { return ramp(p, x, y) << (bits - 8); };
        EXPECT_EQ(difference(eight, make_thumbnail(painted_frame(deep, 0, scaled))), 0) << bits;
    }
    EXPECT_EQ(difference(eight, make_thumbnail(
                                    painted_frame(tiny, 0, [&](int p, int x, int y) { return ramp(p, x, y) + 40; }))),
              0);
    EXPECT_EQ(eight.samples.front(), -eight.samples.back());
    EXPECT_EQ(eight.samples[1] - eight.samples[0], 2 * Thumbnail::levels);
}

TEST(Thumbnail, TakesAnySizeAndTheWholeRangeOfSamples) {
    for (const int width : {1, 31, 33, 100})
        for (const int height : {1, 17, 19, 200}) {
            const VideoFormat format{.width = width, .height = height, .chroma = Chroma::k400, .bit_depth = 16};
            EXPECT_EQ(
                difference(make_thumbnail(constant_frame(format, 65535)), make_thumbnail(constant_frame(tiny, 0))), 0);
        }
    const auto halves = [](std::uint32_t left, std::uint32_t right) {
        return make_thumbnail(painted_frame(tiny, 0, [=](int, int x, int) { return x < 32 ? left : right; }));
    };
    EXPECT_EQ(difference(halves(0, 255), halves(255, 0)), 255 * Thumbnail::levels);
}

/// Every frame of a clip beside every second frame of the other, as 60 frames per second beside 30: pair n has frame
/// 2n of the faster video and frame 2n + `shift` of the slower one.
std::vector<AlignedPart> half_rate_parts(const Clip &clip, int shift, bool reference_is_faster) {
    const auto &fast = reference_is_faster ? clip.reference : clip.distorted;
    const auto &slow = reference_is_faster ? clip.distorted : clip.reference;
    OffsetCosts costs(8);
    for (std::size_t n = 2; n + 4 < fast.size(); n += 2) {
        costs.add(slow[n + static_cast<std::size_t>(shift)], fast[n]);
        costs.add_unpaired(fast[n + 1]);
    }
    return find_alignment(costs, {reference_is_faster, reference_is_faster ? 2.0 : 1.0});
}

TEST(Alignment, FindsShiftsOfOneFrameOfTheFasterVideo) {
    for (const std::size_t kind : {0u, 1u, 4u, 6u, 8u, 16u}) {
        const Clip clip = clip_of(contents[kind]);
        for (const int shift : {0, 1, 2, 3}) {
            const auto early = half_rate_parts(clip, shift, true);
            EXPECT_EQ(early.size(), 1u) << "content " << kind << " shift " << shift;
            EXPECT_EQ(early.front().offset, shift) << "content " << kind;
            const auto late = half_rate_parts(clip, shift, false);
            EXPECT_EQ(late.size(), 1u) << "content " << kind << " shift " << shift;
            EXPECT_EQ(late.front().offset, shift) << "content " << kind;
        }
    }
}

TEST(Alignment, TakesTheLagOfASlowerEncoderForNoOffset) {
    for (const double lag : {0.3, 0.6}) {
        const Clip clip = late_clip(2 * lag); // of its own frames
        EXPECT_TRUE(is_aligned(half_rate_parts(clip, 0, true))) << lag;
    }
}

} // namespace

} // namespace isovmaf::alignment_test
