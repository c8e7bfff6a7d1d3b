// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/nearest_name.hpp"

#include <gtest/gtest.h>

namespace isovmaf {
namespace {

TEST(NearestName, DiffersByFewLetters) {
    const std::vector<std::string> names{"adm", "vif", "psnr", "psnr_hvs"};
    EXPECT_EQ(nearest_name("vff", names), "vif");          // replaced
    EXPECT_EQ(nearest_name("pnsr", names), "psnr");        // swapped
    EXPECT_EQ(nearest_name("psnr_hs", names), "psnr_hvs"); // missing
    EXPECT_EQ(nearest_name("vsif", names), "vif");         // added
    EXPECT_EQ(nearest_name("PSNR", names), "psnr");
    EXPECT_EQ(nearest_name("xy", names), "");
    EXPECT_EQ(nearest_name("motion", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(nearest_name("vif", {}), "");
}

TEST(NearestName, ContainsTheTextOrIsContained) {
    const std::vector<std::string> names{"float_ms_ssim", "float_ssim", "420", "422", "v1"};
    EXPECT_EQ(nearest_name("ssim", names), "float_ssim") << "the shortest";
    EXPECT_EQ(nearest_name("MS_SSIM", names), "float_ms_ssim");
    EXPECT_EQ(nearest_name("yuv420p10le", names), "420");
    EXPECT_EQ(nearest_name("loat_ssim_x", names), "float_ssim") << "few letters come first";
    EXPECT_EQ(nearest_name("v1.1.2", names), "") << "two letters are in many texts";
    EXPECT_EQ(nearest_name("at", names), "");
}

TEST(DidYouMean, IsPartOfASentence) {
    const std::vector<std::string> names{"vif"};
    EXPECT_EQ(did_you_mean("vff", names), " (did you mean vif?)");
    EXPECT_EQ(did_you_mean("psnr", names), "");
}

} // namespace
} // namespace isovmaf
