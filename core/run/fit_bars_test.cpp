// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "run/fit_bars.hpp"

#include <functional>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isovmaf::fit_bars_test {
namespace {

using ::testing::HasSubstr;

/// Black lines around a grey picture.
struct Barred {
    int width, height;
    int top = 0, bottom = 0, left = 0, right = 0;
    int frames = 5;
    int edge = 120; ///< the picture's luma
};

SourceInfo info_of(const Barred &video, std::optional<Rational> aspect = {}) {
    SourceInfo info;
    info.format = {video.width, video.height, Chroma::k420, 8};
    info.name = "v.mp4";
    info.colour.sample_aspect_ratio = aspect;
    return info;
}

BlackBars bars_of(const Barred &video) {
    const VideoFormat format{video.width, video.height, Chroma::k400, 8};
    BlackBars bars(format, false);
    auto bytes = std::make_shared<std::vector<std::uint8_t>>();
    for (int y = 0; y < video.height; y++)
        for (int x = 0; x < video.width; x++)
            bytes->push_back(y < video.top || y >= video.height - video.bottom || x < video.left ||
                                     x >= video.width - video.right
                                 ? 16
                                 : static_cast<std::uint8_t>(video.edge));
    for (int n = 0; n < video.frames; n++)
        bars.see(Frame(format, bytes, {bytes->data()}, {video.width}));
    return bars;
}

BarsDecision decide(const Barred &reference, const Barred &distorted) {
    const SourceInfo r = info_of(reference), d = info_of(distorted);
    return decide_bars({r, bars_of(reference)}, {d, bars_of(distorted)});
}

TEST(FitBars, TheVideoThatHasThemIsCropped) {
    const BarsDecision letterbox = decide({.width = 320, .height = 180, .top = 24, .bottom = 20}, {160, 68});
    EXPECT_EQ(letterbox.reference, (Crop{320, 136, 0, 24}));
    EXPECT_EQ(letterbox.distorted, std::nullopt);
    EXPECT_EQ(letterbox.reason, "reference v.mp4 has 24 black rows at the top and 20 at the bottom, which the other "
                                "video has not");
    const BarsDecision of_distorted = decide({160, 68}, {.width = 320, .height = 180, .top = 24, .bottom = 20});
    EXPECT_EQ(of_distorted.distorted, (Crop{320, 136, 0, 24}));
    EXPECT_EQ(of_distorted.reference, std::nullopt);
    EXPECT_TRUE(decide({.width = 320, .height = 180, .top = 22, .bottom = 22}, {.width = 160, .height = 68, .left = 3})
                    .reference); // an edge that is dark
    const BarsDecision pillarbox = decide({.width = 320, .height = 180, .left = 40, .right = 40}, {160, 120});
    EXPECT_EQ(pillarbox.reference, (Crop{240, 180, 40, 0}));
    EXPECT_THAT(pillarbox.reason, HasSubstr("40 black columns at the left and 40 at the right"));
}

TEST(FitBars, BarsThatAreNotClearStay) {
    const auto reason = [](const Barred &reference, const Barred &distorted) {
        const BarsDecision decision = decide(reference, distorted);
        EXPECT_FALSE(decision.reference || decision.distorted) << decision.reason;
        return decision.reason;
    };
    EXPECT_THAT(reason({320, 180}, {160, 68}), HasSubstr("neither video has black bars"));
    EXPECT_THAT(
        reason({.width = 320, .height = 180, .top = 10, .bottom = 10}, {160, 68}),
        HasSubstr("what is left without them, 320x160, has another shape than the other video, so that nothing"));
    EXPECT_THAT(reason({.width = 320, .height = 180, .top = 21, .bottom = 23}, {160, 68}),
                HasSubstr("they do not end at whole chroma samples"));
    EXPECT_THAT(reason({.width = 320, .height = 180, .top = 22, .bottom = 22, .frames = 3}, {160, 68}),
                HasSubstr("only 3 of 3 pictures"));
    EXPECT_THAT(reason({.width = 320, .height = 180, .top = 22, .bottom = 22, .edge = 30}, {160, 68}),
                HasSubstr("it is not clear where they end"));
    EXPECT_THAT(reason({.width = 320, .height = 180, .top = 30, .bottom = 30}, // both have bars of the other's shape
                       {.width = 320, .height = 120, .left = 54, .right = 52}),
                HasSubstr("but the other video may have bars, too, so that nothing is cropped"));
    EXPECT_THAT(reason({.width = 320, .height = 180, .top = 22, .bottom = 22},
                       {.width = 160, .height = 68, .left = 4, .right = 2}),
                HasSubstr("the other video may have bars, too"));
}

TEST(FitBars, ShapesThatDifferByRoundingAreTheSame) {
    const auto same = [](const SourceInfo &a, const SourceInfo &b) {
        EXPECT_EQ(have_same_shape(a, b), have_same_shape(b, a));
        return have_same_shape(a, b);
    };
    EXPECT_TRUE(same(info_of({1920, 1080}), info_of({854, 480})));
    EXPECT_TRUE(same(info_of({1920, 1080}), info_of({3840, 2160})));
    EXPECT_TRUE(same(info_of({1920, 800}), info_of({1280, 534})));
    EXPECT_FALSE(same(info_of({1920, 1080}), info_of({1920, 1088})));
    EXPECT_FALSE(same(info_of({1920, 1080}), info_of({1280, 534})));
    EXPECT_TRUE(same(info_of({720, 576}, Rational{64, 45}), info_of({1024, 576}, Rational{1, 1})));
    EXPECT_FALSE(same(info_of({720, 576}), info_of({1024, 576}, Rational{1, 1})));
}

} // namespace
} // namespace isovmaf::fit_bars_test
