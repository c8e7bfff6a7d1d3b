// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/ciede/ciede.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/ciede/ciede_chroma.hpp"
#include "features/ciede/ciede_functions.hpp"
#include "features/testing/feature_runner.hpp"

namespace isovmaf::ciede_test {
namespace {

using testing::run_feature;
using Values = std::vector<double>;

Values scores(const std::vector<FramePair> &clip) {
    return run_feature("ciede", {{}}, clip).front().frames.at("ciede2000");
}

struct Golden {
    VideoFormat format;
    double score; ///< of frame 1 of the generated clip, from libvmaf 3.2.0's plain C path
};

const Golden golden[] = {
    {{.width = 176, .height = 144}, 0x1.17b405771859ap+5},
    {{.width = 322, .height = 242, .chroma = Chroma::k444}, 0x1.2a807fcfc0183p+5},
    {{.width = 352, .height = 288, .bit_depth = 10}, 0x1.16751030712d2p+5},
    {{.width = 256, .height = 256, .bit_depth = 16}, 0x1.162ed916f9409p+5},
};

TEST(Ciede, MatchesTheReferenceBitForBit) {
    for (const Golden &want : golden)
        EXPECT_EQ(scores({GeneratedClip(want.format).frame(1)}), Values{want.score}) << want.format.bit_depth;
}

TEST(Ciede, EqualPicturesAreInfinitelyGood) {
    for (const int bits : {8, 16})
        EXPECT_EQ(scores({identical_pair({.width = 40, .height = 20, .bit_depth = bits}, 1)}),
                  Values{std::numeric_limits<double>::infinity()});
}

/// Grey has no hue, so that lightness alone differs.
TEST(Ciede, LightnessIsWeighted) {
    constexpr CiedeColour dark{40, 0, 0}, light{60, 0, 0}; // 50 between them: the weight is 1
    EXPECT_EQ(ciede_difference(dark, light), 20 / 0.65F);
    EXPECT_EQ(ciede_difference(light, dark), 20 / 0.65F);
}

/// Opposite hues, and hues on both sides of 0, where a turn is added or subtracted.
TEST(Ciede, DifferencesAreSymmetric) {
    const float values[] = {-80, -20, -0.125F, 0, 0.5F, 30, 95};
    for (const float a_1 : values)
        for (const float b_1 : values)
            for (const float a_2 : values)
                for (const float b_2 : values) {
                    const CiedeColour first{50, a_1, b_1}, second{55, a_2, b_2};
                    const float there = ciede_difference(first, second), back = ciede_difference(second, first);
                    EXPECT_NEAR(there, back, there * 1e-5) << a_1 << ' ' << b_1 << ' ' << a_2 << ' ' << b_2;
                    EXPECT_GT(there, 0);
                }
}

/// Of a picture whose samples say where they are: 1000 · plane + 100 · row + column.
int chroma_at(const VideoFormat &format, int plane, int y, int x) {
    const Frame frame =
        painted_frame(format, default_poison, [](int p, int column, int row) { return 1000 * p + 100 * row + column; });
    const HostPicture picture(frame);
    return CiedeChroma<std::uint16_t>(picture, plane).at(y, x);
}

TEST(CiedeChroma, IsHalvedIn420) {
    constexpr VideoFormat even{.width = 8, .height = 6, .bit_depth = 16};
    EXPECT_EQ(chroma_at(even, 1, 5, 7), 1203);
    EXPECT_EQ(chroma_at(even, 2, 3, 4), 2102);
}

TEST(CiedeChroma, BehindAnOddWidthIsPaddingOrTheNextRow) {
    constexpr VideoFormat padded{.width = 63, .height = 6, .bit_depth = 16},
        full{.width = 65, .height = 6, .bit_depth = 16};
    EXPECT_EQ(chroma_at(padded, 1, 0, 61), 1030);
    EXPECT_EQ(chroma_at(padded, 1, 0, 62), 0);
    EXPECT_EQ(chroma_at(full, 1, 0, 63), 1031);
    EXPECT_EQ(chroma_at(full, 1, 0, 64), 1100);
    EXPECT_EQ(chroma_at(full, 1, 5, 64), 2000); // behind Cb's last row is Cr
    EXPECT_EQ(chroma_at(full, 2, 5, 64), 0);
}

TEST(CiedeChroma, BelowAnOddHeightIsCrOrNothing) {
    constexpr VideoFormat odd{.width = 8, .height = 7, .bit_depth = 16};
    EXPECT_EQ(chroma_at(odd, 1, 6, 2), 2001);
    EXPECT_EQ(chroma_at(odd, 2, 6, 2), 0);
}

TEST(CiedeChroma, HalvesRowsIn422) {
    constexpr VideoFormat format{.width = 40, .height = 4, .chroma = Chroma::k422, .bit_depth = 16};
    EXPECT_EQ(chroma_at(format, 1, 0, 19), 1019);
    EXPECT_EQ(chroma_at(format, 1, 1, 20), 0);
    EXPECT_EQ(chroma_at(format, 1, 1, 32), 1100);
    EXPECT_EQ(chroma_at(format, 2, 3, 39), 2207);
}

TEST(CiedeChroma, IsWhole444) {
    constexpr VideoFormat format{.width = 40, .height = 4, .chroma = Chroma::k444, .bit_depth = 16};
    EXPECT_EQ(chroma_at(format, 1, 3, 39), 1339);
    EXPECT_EQ(chroma_at(format, 2, 1, 0), 2100);
}

TEST(Ciede, BytesBetweenRowsAreNotRead) {
    for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444}) {
        const VideoFormat format{.width = 33, .height = 9, .chroma = chroma};
        EXPECT_EQ(scores({noise_pair(format, 1, 0x00)}), scores({noise_pair(format, 1, 0xff)}));
    }
}

bool is_planned(const VideoFormat &format) {
    const OptionSet options = *OptionSet::parse("ciede", ciede_feature.options, {});
    return make_feature_plan(ciede_feature, {.format = format}, {&options, 1}).has_value();
}

TEST(Ciede, RefusesWhatItIsNotDefinedFor) {
    EXPECT_TRUE(is_planned({.width = 2, .height = 2}));
    EXPECT_FALSE(is_planned({.width = 1, .height = 2}));
    EXPECT_FALSE(is_planned({.width = 2, .height = 1}));
    EXPECT_TRUE(is_planned({.width = 1, .height = 1, .chroma = Chroma::k444}));
    EXPECT_FALSE(is_planned({.width = 16, .height = 16, .chroma = Chroma::k400}));
    for (const int bits : {9, 11, 13, 14, 15})
        EXPECT_FALSE(is_planned({.width = 16, .height = 16, .bit_depth = bits})) << bits;
}

} // namespace
} // namespace isovmaf::ciede_test
