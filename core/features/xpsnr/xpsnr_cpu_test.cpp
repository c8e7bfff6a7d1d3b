// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of XPSNR against its definition.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "content/patterns.hpp"
#include "features/testing/path_runner.hpp"
#include "features/xpsnr/xpsnr_functions.hpp"
#include "features/xpsnr/xpsnr_math.h"

namespace isovmaf::xpsnr_cpu_test {
namespace {

using namespace testing;

const OptionTexts first_order{{"frame_rate", "24"}}, second_order{{"frame_rate", "60"}},
    luma{{"frame_rate", "60"}, {"enable_chroma", "false"}};

TEST(XpsnrPath, EveryWidthGivesTheDefinitionsSums) {
    for (int width = 45; width <= narrow_width; width += wide_step)
        for (const int bits : {8, 10})
            expect_definition("xpsnr", {luma},
                              hard_clip_within_depth({.width = width, .height = 46, .bit_depth = bits}, test_seed()));
}

TEST(XpsnrPath, EveryDepthAndChromaFormatGivesTheDefinitionsSums) {
    for (const Chroma chroma : {Chroma::k400, Chroma::k420, Chroma::k422, Chroma::k444})
        for (const int bits : {8, 11, 12, 14, 16})
            for (const OptionTexts &order : {first_order, second_order})
                expect_definition("xpsnr", {order},
                                  hard_clip_within_depth(
                                      {.width = 131, .height = 87, .chroma = chroma, .bit_depth = bits}, test_seed()));
}

TEST(XpsnrPath, PicturesWithoutBlocksGiveTheDefinitionsErrors) {
    for (const int width : {2, 17, 44})
        expect_definition("xpsnr", {first_order}, hard_clip_within_depth({.width = width, .height = 46}, test_seed()));
}

/// A plane of noise between guards.
template <class Sample>
struct Noise {
    Noise(int columns, int rows, int bit_depth, std::uint32_t seed)
        : frame(noise_frame({columns, rows, Chroma::k400, bit_depth}, seed)),
          samples{frame.plane(0).row<Sample>(0),
                  frame.plane(0).stride_bytes / static_cast<std::ptrdiff_t>(sizeof(Sample)), columns, rows} {}

    Frame frame;
    XpsnrSamples<Sample> samples;
};

template <class Sample>
std::int32_t at(const XpsnrSamples<Sample> &plane, int x, int y) {
    return plane.first[std::min(y, plane.height - 1) * plane.stride + std::min(x, plane.width - 1)];
}

/// The terms of groups, by xpsnr.md §3.
template <class Sample>
std::uint64_t spatial_of(const XpsnrSamples<Sample> &o, const XpsnrSpan &span) {
    constexpr int factors[3][3] = {{12, -3, -1}, {-3, -2, -1}, {-1, -1, 0}}; // by the distance from the group
    std::uint64_t sum = 0;
    for (int y = span.top; y < span.bottom; y += 2)
        for (int x = span.left; x < span.right; x += 2) {
            std::int64_t value = 0;
            for (int j = -2; j <= 3; j++)
                for (int i = -2; i <= 3; i++)
                    value += factors[j < 0 ? -j : std::max(0, j - 1)][i < 0 ? -i : std::max(0, i - 1)] *
                             std::int64_t{at(o, x + i, y + j)};
            sum += static_cast<std::uint64_t>(std::abs(value));
        }
    return sum;
}

template <class Sample>
std::uint64_t temporal_of(const XpsnrHistory<Sample> &history, const XpsnrSpan &span) {
    const auto change = [&](int x, int y) {
        const std::int64_t first = at(history.now, x, y) - at(history.before, x, y);
        return history.second_order ? first - at(history.before, x, y) + at(history.before_that, x, y) : first;
    };
    std::uint64_t sum = 0;
    for (int y = span.top; y < span.bottom; y += 2)
        for (int x = span.left; x < span.right; x += 2) {
            const auto right = std::min(x + 1, history.now.width - 1), below = std::min(y + 1, history.now.height - 1);
            sum += static_cast<std::uint64_t>(
                std::abs(change(x, y) + change(right, y) + change(x, below) + change(right, below)));
        }
    return sum;
}

template <class Sample>
void expect_halved(const XpsnrSums<Sample> &sums, int bit_depth) {
    for (int width = 7; width < narrow_width; width += 1 + wide_step / 2)
        for (const int left : {2, 4, 8}) {
            const int height = 9;
            const Noise<Sample> now(width, height, bit_depth, 1), before(width, height, bit_depth, 2),
                before_that(width, height, bit_depth, 3);
            const XpsnrSpan core{left, 2, width - 2, height - 2};
            if (core.right > core.left) {
                EXPECT_EQ(sums.spatial_halved(now.samples, core, bit_depth, nullptr), spatial_of(now.samples, core))
                    << width << " from " << left << ", " << bit_depth << " bit";
            }
            for (const bool second : {false, true}) {
                const XpsnrHistory<Sample> history{now.samples, before.samples, before_that.samples, second};
                const XpsnrSpan span{left - 2, 0, width, height};
                EXPECT_EQ(sums.temporal_halved(history, span, bit_depth, nullptr), temporal_of(history, span))
                    << width << " from " << left << ", " << bit_depth << " bit";
            }
        }
}

/// Pictures with such terms are too large to try all widths in.
TEST(XpsnrPath, EveryWidthGivesTheSumsOfGroups) {
    for (const CpuLevel level : usable_cpu_levels())
        if (const XpsnrFunctions *const functions = xpsnr_functions(level)) {
            expect_halved(functions->sums_8, 8);
            for (int bits = 9; bits <= 16; bits++)
                expect_halved(functions->sums_16, bits);
        }
}

/// The last column and row of chroma are not looked at before.
TEST(XpsnrPath, SamplesAboveTheBitDepthHaveErrors) {
    for (int width = 1; width < 80; width++) {
        const Noise<std::uint16_t> reference(width, 2, 16, 1), distorted(width, 2, 16, 2);
        std::uint64_t expected = 0;
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < width; x++)
                expected += xpsnr_squared_error(at(reference.samples, x, y), at(distorted.samples, x, y));
        for (const CpuLevel level : usable_cpu_levels())
            if (const XpsnrFunctions *const functions = xpsnr_functions(level)) {
                EXPECT_EQ(functions->sums_16.error(reference.samples, distorted.samples, {0, 0, width, 2}, 10, nullptr),
                          expected)
                    << width;
            }
    }
}

TEST(XpsnrPath, LargePicturesGiveTheDefinitionsSums) {
    for (const int bits : {8, 10}) {
        const VideoFormat format{.width = 2049, .height = 1153, .chroma = Chroma::k400, .bit_depth = bits};
        expect_definition("xpsnr", {second_order},
                          {noise_pair(format, test_seed()), noise_pair(format, test_seed() + 7)});
    }
}

} // namespace
} // namespace isovmaf::xpsnr_cpu_test
