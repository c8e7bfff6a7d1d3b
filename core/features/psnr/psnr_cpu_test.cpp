// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of PSNR against its definition.
#include <gtest/gtest.h>

#include "features/testing/path_runner.hpp"

namespace isovmaf::psnr_cpu_test {
namespace {

using namespace testing;

TEST(PsnrPath, EveryWidthGivesTheDefinitionsErrors) {
    for (int width = 1; width <= 300; width++)
        for (const int bits : {8, 10})
            expect_definition("psnr", {{{"enable_chroma", "false"}}},
                              hard_clip({.width = width, .height = 3, .bit_depth = bits}, test_seed()));
}

TEST(PsnrPath, EveryDepthAndChromaFormatGivesTheDefinitionsErrors) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 10, 12, 16})
            expect_definition(
                "psnr", {{}},
                hard_clip({.width = 131, .height = 37, .chroma = chroma, .bit_depth = bits}, test_seed()));
}

} // namespace
} // namespace isovmaf::psnr_cpu_test
