// SPDX-License-Identifier: BSD-2-Clause-Patent
// The CPU path of VIF against its definition.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "features/testing/path_runner.hpp"
#include "features/vif/vif.hpp"
#include "features/vif/vif_functions.hpp"

namespace isovmaf::vif_cpu_test {
namespace {

using namespace testing;

const OptionTexts neg{{"egl", "1"}}, limited{{"egl", "1.37"}}, skip_scale0{{"ssclz", "true"}};

VideoFormat luma(int width, int height, int bit_depth) {
    return {.width = width, .height = height, .chroma = Chroma::k400, .bit_depth = bit_depth};
}

/// One of the pictures of hard_clip, another one for each number.
std::vector<FramePair> hard_frame(const VideoFormat &format, int number) {
    const std::vector<FramePair> clip = hard_clip(format, test_seed());
    return {clip[static_cast<std::size_t>(number) % clip.size()]};
}

TEST(VifPath, EveryWidthGivesTheDefinitionsSums) {
    for (int width = 16; width <= 300; width += width < narrow_width ? 1 : wide_step) {
        const int height = 16 + width % 7;
        expect_definition("vif", {{}}, hard_frame(luma(width, height, 8), width));
        if (width % 3 == 0)
            expect_definition("vif", {{}}, hard_frame(luma(width, height, 10), width / 3));
    }
}

TEST(VifPath, EveryHeightGivesTheDefinitionsSums) {
    for (int height = 16; height <= 100; height++)
        expect_definition("vif", {{}}, hard_frame(luma(16 + height % 9, height, height % 2 ? 8 : 12), height));
}

TEST(VifPath, EveryDepthGivesTheDefinitionsSums) {
    for (int bits = 8; bits <= 16; bits += testing::depth_step)
        expect_definition("vif", {{}}, hard_clip(luma(67, 37, bits), test_seed()));
}

TEST(VifPath, TallAndWidePicturesGiveTheDefinitionsSums) {
    for (const auto &[width, height] : {std::pair{16, 700}, {701, 16}, {1021, 31}})
        for (const int bits : {8, 16})
            expect_definition("vif", {{}}, hard_frame(luma(width, height, bits), width + bits));
}

TEST(VifPath, EveryGainLimitGivesTheDefinitionsSums) {
    for (const int bits : {8, 10})
        expect_definition("vif", {{}, neg, limited}, hard_clip(luma(130, 33, bits), test_seed()));
}

TEST(VifPath, ASkippedScaleGivesTheDefinitionsSums) {
    for (const int bits : {8, 10})
        expect_definition("vif", {skip_scale0}, hard_clip(luma(75, 39, bits), test_seed()));
}

/// Pixels for the statistic of §3.4 alone, and what it makes of them.
class Pixels {
  public:
    void add(std::int32_t s1, std::int32_t s2, std::int32_t s12) { sigma_.insert(sigma_.end(), {s1, s2, s12}); }

    void expect_definition(double limit) const {
        const std::size_t count = sigma_.size() / 3;
        for (const CpuLevel level : usable_cpu_levels()) {
            const VifFunctions *const functions = vif_functions(level);
            if (!functions)
                continue;
            std::vector<std::int32_t> den_log(count), num_log(count);
            functions->logarithms(sigma_.data(), static_cast<int>(count), limit, den_log.data(), num_log.data());
            int faults = 0;
            for (std::size_t i = 0; i < count && faults < 5; i++) {
                const VifMoments m{sigma_[3 * i], sigma_[3 * i + 1], sigma_[3 * i + 2]};
                const auto [den, num] = logarithms(m, limit);
                faults += den != den_log[i] || num != num_log[i];
                EXPECT_EQ(den_log[i], den) << cpu_level_name(level) << ": " << m.sigma1_sq;
                EXPECT_EQ(num_log[i], num) << cpu_level_name(level) << ": " << m.sigma1_sq << ", " << m.sigma2_sq
                                           << ", " << m.sigma12 << ", limit " << limit;
            }
        }
    }

  private:
    /// A pixel's shares of den_log and num_log.
    static std::pair<std::int32_t, std::int32_t> logarithms(const VifMoments &m, double limit) {
        const std::uint16_t *const table = vif_log_table().data();
        if (m.sigma1_sq < VIF_NOISE)
            return {0, 0};
        const std::int32_t den = vif_log(table, vif_noisy_variance(m.sigma1_sq)) - VIF_LOG_NOISE;
        if (m.sigma12 <= 0 || m.sigma2_sq == 0)
            return {den, 0};
        const VifGain gain = vif_gain(m);
        return {den, vif_log(table, vif_signal(gain, limit, m.sigma1_sq)) - vif_log(table, gain.noise)};
    }

    std::vector<std::int32_t> sigma_;
};

TEST(VifPath, EveryLogarithmIsTheTables) {
    std::mt19937 random(test_seed());
    Pixels pixels;
    for (std::uint32_t i = VIF_LOG_FIRST; i < VIF_LOG_FIRST + VIF_LOG_COUNT; i++)
        for (const int shift : {3, 4 + static_cast<int>(i % 11), 15}) {
            const std::uint32_t below = (1u << shift) - 1;
            for (const std::uint32_t bits : {0u, below, static_cast<std::uint32_t>(random()) & below}) {
                const auto value = static_cast<std::int32_t>(i << shift | bits);
                pixels.add(value - VIF_NOISE, 0, 0);
                pixels.add(VIF_NOISE, value - VIF_NOISE, 1); // noise alone
            }
        }
    pixels.expect_definition(100);
}

TEST(VifPath, MomentsOfEveryMagnitudeGiveTheDefinitionsLogarithms) {
    std::mt19937 random(test_seed());
    const auto magnitude = [&] { return static_cast<std::int32_t>(random() >> (1 + random() % 31)); };
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    Pixels pixels;
    for (int i = 0; i < 50000; i++)
        pixels.add(magnitude() - i % 2, magnitude(), random() % 4 ? magnitude() : -magnitude());
    for (const std::int32_t s1 : {-most - 1, -1, 0, VIF_NOISE - 1, VIF_NOISE, most - VIF_NOISE + 1, most})
        for (const std::int32_t s2 : {0, 1, most})
            for (const std::int32_t s12 : {-most - 1, -1, 0, 1, VIF_NOISE, most})
                pixels.add(s1, s2, s12);
    for (const double limit : {1.0, 1.37, 100.0})
        pixels.expect_definition(limit);
}

/// What a compiler makes of vif_gain that fuses the product and the difference.
std::uint32_t fused_noise(const VifMoments &m) {
    const double gain = m.sigma12 / (m.sigma1_sq + VIF_GAIN_EPSILON);
    const double rest = std::fma(-gain, m.sigma12, m.sigma2_sq);
    return static_cast<std::uint32_t>(rest > 0 ? static_cast<std::int32_t>(rest) : 0) + VIF_NOISE;
}

/// The explained power is an integer q, or next to it: the epsilon takes from sigma12^2 / sigma1_sq = q + 1 / sigma1_sq
/// what the square is more. The rest of sigma2_sq is one at which the logarithm's table changes.
TEST(VifPath, AFusedProductIsNoticed) {
    constexpr int q_with_epsilon_1 = 152588;
    std::uint32_t change = VIF_LOG_FIRST + 100;
    while (vif_log_table()[change - VIF_LOG_FIRST] == vif_log_table()[change - 1 - VIF_LOG_FIRST])
        change++;
    Pixels pixels;
    int different = 0;
    for (int q = q_with_epsilon_1 - 100; q < q_with_epsilon_1 + 100; q++)
        for (int m = 1; m < 118; m++) {
            const VifMoments moments{m * (m * q + 2), static_cast<std::int32_t>(4 * change - VIF_NOISE) + q, m * q + 1};
            pixels.add(moments.sigma1_sq, moments.sigma2_sq, moments.sigma12);
            different += moments.sigma1_sq >= VIF_NOISE && fused_noise(moments) != vif_gain(moments).noise;
        }
    EXPECT_GT(different, 1000);
    pixels.expect_definition(100);
}

} // namespace
} // namespace isovmaf::vif_cpu_test
