// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/psnr_hvs/psnr_hvs.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/feature_runner.hpp"
#include "math/math.hpp"

namespace isovmaf::psnr_hvs_test {
namespace {

using testing::run_feature;
using Values = std::vector<double>;

struct Golden {
    VideoFormat format;
    double all, y, cb, cr; ///< of frame 1 of the generated clip, from libvmaf 3.2.0's plain C path
};

const Golden golden[] = {
    {{.width = 176, .height = 144},
     0x1.2ad777102fcbbp+5,
     0x1.2c5d79a14fbbp+5,
     0x1.26dce237be9acp+5,
     0x1.23e1217fd1f3bp+5},
    {{.width = 321, .height = 183},
     0x1.2b3bdc0d00482p+5,
     0x1.2cbac7083944ep+5,
     0x1.27190a6b3e65cp+5,
     0x1.24975eead61dfp+5},
    {{.width = 322, .height = 242, .chroma = Chroma::k444},
     0x1.2dea762f0808ap+5,
     0x1.2c0b0361fde32p+5,
     0x1.384f2d1ad83e9p+5,
     0x1.3500c2923763ap+5},
    {{.width = 352, .height = 288, .bit_depth = 10},
     0x1.3174d98e9dae6p+5,
     0x1.32654b23fc322p+5,
     0x1.2d7360413e59p+5,
     0x1.2e6cda99cc7fp+5},
    {{.width = 352, .height = 288, .chroma = Chroma::k422, .bit_depth = 12},
     0x1.3008e3ef27b71p+5,
     0x1.32a2115cb26fdp+5,
     0x1.264857c242168p+5,
     0x1.2836ee75b45dbp+5},
};

TEST(PsnrHvs, MatchesTheReferenceBitForBit) {
    for (const Golden &want : golden) {
        const auto scores = run_feature("psnr_hvs", {{}}, {GeneratedClip(want.format).frame(1)}).front();
        EXPECT_EQ(scores.frames.at("psnr_hvs"), Values{want.all}) << want.format.bit_depth;
        EXPECT_EQ(scores.frames.at("psnr_hvs_y"), Values{want.y}) << want.format.bit_depth;
        EXPECT_EQ(scores.frames.at("psnr_hvs_cb"), Values{want.cb}) << want.format.bit_depth;
        EXPECT_EQ(scores.frames.at("psnr_hvs_cr"), Values{want.cr}) << want.format.bit_depth;
    }
}

/// Flat blocks have no coefficients but the first, and mask nothing.
TEST(PsnrHvs, BlackAgainstWhiteIsTheFirstCoefficientAlone) {
    for (const auto &[bits, coefficient] : {std::pair{8, 2039.0f}, {10, 8183.0f}, {12, 32759.0f}}) {
        const VideoFormat format{.width = 8, .height = 8, .chroma = Chroma::k444, .bit_depth = bits};
        const auto scores = run_feature("psnr_hvs", {{}}, {black_and_white(format)}).front();
        const float weighted = coefficient * psnr_hvs_csf_y[0], peak = static_cast<float>(largest_sample(format));
        const double error = weighted * weighted / 64 / (peak * peak);
        EXPECT_EQ(scores.frames.at("psnr_hvs_y"), Values{10 * (-1 * math::log10(error))}) << bits;
    }
}

TEST(PsnrHvs, EqualPicturesAreInfinitelyGood) {
    const VideoFormat format{.width = 33, .height = 29};
    const auto scores = run_feature("psnr_hvs", {{}}, {identical_pair(format, 1)}).front();
    for (const auto &[name, values] : scores.frames)
        EXPECT_EQ(values, Values{std::numeric_limits<double>::infinity()}) << name;
}

/// Columns and rows behind the last block do not count: blocks begin at every seventh sample.
TEST(PsnrHvs, SamplesBehindTheLastBlockDoNotCount) {
    const VideoFormat format{.width = 21, .height = 28, .chroma = Chroma::k444};
    const auto picture = [&](std::uint32_t edge) {
        return painted_frame(format, default_poison, [=](int, int x, int y) {
            return x < 15 && y < 22 ? static_cast<std::uint32_t>(7 * x + 5 * y) % 256 : edge;
        });
    };
    const auto scores = run_feature("psnr_hvs", {{}}, {{picture(0), picture(255)}}).front();
    for (const auto &[name, values] : scores.frames)
        EXPECT_EQ(values, Values{std::numeric_limits<double>::infinity()}) << name;
}

TEST(PsnrHvs, BytesBetweenRowsAreNotRead) {
    for (const int bits : {8, 10}) {
        const VideoFormat format{.width = 33, .height = 17, .bit_depth = bits};
        EXPECT_EQ(run_feature("psnr_hvs", {{}}, {noise_pair(format, 1, 0x00)}).front().frames,
                  run_feature("psnr_hvs", {{}}, {noise_pair(format, 1, 0xff)}).front().frames);
    }
}

} // namespace
} // namespace isovmaf::psnr_hvs_test
