// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of MS-SSIM against its definition.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::float_ms_ssim_cpu_test {
namespace {

using namespace testing;

/// Sizes whose halves are odd at one scale or another.
TEST(FloatMsSsimPath, EverySizeGivesTheDefinitionsMeans) {
    for (const auto &[width, height] :
         {std::pair{176, 176}, {177, 178}, {179, 181}, {183, 177}, {191, 176}, {208, 193}})
        expect_definition("float_ms_ssim", {{}},
                          {noise_pair({.width = width, .height = height, .chroma = Chroma::k400}, test_seed())});
}

TEST(FloatMsSsimPath, EveryDepthGivesTheDefinitionsMeans) {
    for (const int bits : {8, 10, 12, 16})
        expect_definition(
            "float_ms_ssim", {{{"enable_lcs", "true"}}},
            {noise_pair({.width = 189, .height = 187, .chroma = Chroma::k400, .bit_depth = bits}, test_seed())});
}

TEST(FloatMsSsimPath, HardPicturesGiveTheDefinitionsMeans) {
    for (const int bits : {8, 10})
        expect_definition(
            "float_ms_ssim", {{}},
            hard_clip({.width = 181, .height = 177, .chroma = Chroma::k400, .bit_depth = bits}, test_seed()));
}

} // namespace
} // namespace isovmaf::float_ms_ssim_cpu_test
