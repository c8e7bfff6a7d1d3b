// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of CIEDE2000 against its definition.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::ciede_cpu_test {
namespace {

using namespace testing;

TEST(CiedePath, EveryWidthGivesTheDefinitionsDifferences) {
    for (int width = 1; width <= 35; width++)
        for (const int bits : {8, 10})
            expect_definition(
                "ciede", {{}},
                hard_clip({.width = width, .height = 2, .chroma = Chroma::k444, .bit_depth = bits}, test_seed()));
}

/// Odd sizes, whose chroma lies in part behind the rows.
TEST(CiedePath, EveryDepthAndChromaFormatGivesTheDefinitionsDifferences) {
    for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 10, 12, 16})
            expect_definition("ciede", {{}},
                              hard_clip({.width = 65, .height = 5, .chroma = chroma, .bit_depth = bits}, test_seed()));
}

/// All pairs of some hues and saturations: grey, opposite hues, and the blue ones that the rotation is made for.
TEST(CiedePath, EveryPairOfHuesGivesTheDefinitionsDifferences) {
    constexpr int steps = 7, count = steps * steps;
    constexpr VideoFormat format{.width = count, .height = count, .chroma = Chroma::k444};
    const auto colour = [](int index, int plane) {
        return 128 + ((plane == 1 ? index % steps : index / steps) - 3) * 20;
    };
    const auto paint = [&](bool by_column, int luma) {
        return painted_frame(format, default_poison, [=](int plane, int x, int y) {
            return plane == 0 ? luma : colour(by_column ? x : y, plane);
        });
    };
    expect_definition("ciede", {{}}, {{paint(true, 90), paint(false, 90)}, {paint(true, 30), paint(false, 36)}});
}

} // namespace
} // namespace isovmaf::ciede_cpu_test
