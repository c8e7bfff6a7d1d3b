// SPDX-License-Identifier: BSD-2-Clause-Patent
// The kernels' sums against the definition's.
#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/psnr_hvs/psnr_hvs_params.h"
#include "features/testing/feature_runner.hpp"
#include "features/testing/kernel_runner.hpp"

namespace isovmaf::psnr_hvs_gpu_test {
namespace {

using namespace testing;

constexpr std::uint32_t seed = 1;

void expect_sums(const std::vector<FramePair> &clip) { expect_reference_sums("psnr_hvs", {{}}, clip); }

/// As many samples as that many blocks beside each other have, and some that belong to no block.
int samples_of(int blocks) { return PSNR_HVS_STEP * blocks + 1 + blocks % PSNR_HVS_STEP; }

/// Pictures that differ a little: the sum stays in its binade for many blocks.
FramePair blurred_pair(const VideoFormat &format) { return GeneratedClip(format).frame(1); }

TEST(PsnrHvsKernels, SmallPicturesGiveTheReferencesSums) {
    for (const int blocks : {1, 2, 3, 9})
        for (const int bits : {8, 10})
            expect_sums({noise_pair(
                {.width = samples_of(blocks), .height = 8, .chroma = Chroma::k444, .bit_depth = bits}, seed)});
}

/// Planes of up to three groups of 64 blocks.
TEST(PsnrHvsKernels, EverySizeAroundAGroupGivesTheReferencesSums) {
    for (const int across : {8, 9, 16})
        for (const int down : {7, 8, 9}) {
            const VideoFormat format{
                .width = samples_of(across), .height = samples_of(down), .chroma = Chroma::k444, .bit_depth = 8};
            expect_sums({noise_pair(format, seed), blurred_pair(format)});
        }
}

TEST(PsnrHvsKernels, EveryDepthAndChromaFormatGivesTheReferencesSums) {
    for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 9, 10, 11, 12}) {
            const VideoFormat format{.width = 75, .height = 53, .chroma = chroma, .bit_depth = bits};
            const Frame white = constant_frame(format, largest_sample(format));
            expect_sums({noise_pair(format, seed),
                         identical_pair(format, seed),
                         black_and_white(format),
                         {grain_frame(format, seed), grain_frame(format, seed + 1)},
                         {noise_frame(format, seed), white},
                         {constant_frame(format, 0), constant_frame(format, 1)},
                         {white, constant_frame(format, largest_sample(format) - 1)},
                         blurred_pair(format)});
        }
}

/// More groups than a block of threads has threads.
TEST(PsnrHvsKernels, LargePicturesGiveTheReferencesSums) {
    const VideoFormat format{.width = 1200, .height = 760};
    expect_sums({blurred_pair(format)});
}

/// Groups without errors between others.
TEST(PsnrHvsKernels, EqualBlocksGiveTheReferencesSums) {
    const VideoFormat format{.width = 450, .height = 197, .chroma = Chroma::k444};
    const auto picture = [&](std::uint32_t error) {
        return painted_frame(format, default_poison, [=](int plane, int x, int y) {
            const bool differs = plane == 0 ? y > 120 : y / 28 % 3 == plane;
            return static_cast<std::uint32_t>(x * y % 251) + (differs && x % 50 == 0 ? error : 0);
        });
    };
    expect_sums({{picture(0), picture(4)}, identical_pair(format, seed), {picture(0), picture(1)}});
}

/// Flat areas add the same number again and again, with ties and from one binade to the next.
TEST(PsnrHvsKernels, TiesAndBinadesGiveTheReferencesSums) {
    const VideoFormat format{.width = 225, .height = 57, .chroma = Chroma::k444};
    const Frame black = constant_frame(format, 0);
    std::vector<FramePair> clip{{black, constant_frame(format, 255)}, {black, constant_frame(format, 1)}};
    for (int n = 0; n < 10; n++)
        clip.push_back({black, painted_frame(format, default_poison, [=](int, int x, int y) {
                            return static_cast<std::uint32_t>(x / 21 * 37 + y / 21 * 91 + n * 53) % 256;
                        })});
    expect_sums(clip);
}

TEST(PsnrHvsKernels, EveryStageIsTheReferences) {
    for (const int bits : {8, 10})
        for (const Chroma chroma : {Chroma::k420, Chroma::k444}) {
            const VideoFormat format{.width = 141, .height = 99, .chroma = chroma, .bit_depth = bits};
            expect_reference_stages("psnr_hvs", {{}}, {noise_pair(format, seed), blurred_pair(format)});
        }
}

} // namespace
} // namespace isovmaf::psnr_hvs_gpu_test
