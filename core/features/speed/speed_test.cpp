// SPDX-License-Identifier: BSD-2-Clause-Patent
// What speed_chroma and speed_temporal share: taps, sizes, options and linear algebra.
#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "features/speed/speed_functions.hpp"
#include "features/speed/speed_matrix.hpp"
#include "features/speed/speed_options.hpp"
#include "features/speed/speed_resample.hpp"
#include "features/speed/speed_taps.hpp"
#include "features/speed_chroma/speed_chroma.hpp"
#include "math/log.hpp"
#include "math/math.hpp"
#include "math/table_rows.hpp"

namespace isovmaf::speed_test {
namespace {

TEST(SpeedTaps, AreThoseOfEachKernelscale) {
    std::uint64_t digest = 0xcbf29ce484222325;
    for (const double kernelscale : speed_kernelscales()) {
        const SpeedTaps taps = speed_taps(kernelscale);
        for (const auto *filter : {&taps.low_pass, &taps.local_mean})
            for (const float tap : *filter)
                digest = (digest ^ std::bit_cast<std::uint32_t>(tap)) * 0x100000001b3;
        EXPECT_LE(taps.low_pass.size(), SPEED_MOST_TAPS);
    }
    EXPECT_EQ(digest, 0x282599be3aeae763); // of the taps that libvmaf makes
    EXPECT_EQ(speed_taps(1).local_mean, (std::vector<float>{0x1.54be42p-3F, 0x1.55a0dep-1F, 0x1.54be42p-3F}));
}

TEST(SpeedGeometry, HasWholeBlocks) {
    const SpeedGeometry chroma = speed_geometry(960, 540, 1);
    EXPECT_EQ(chroma.kept_width, 60);
    EXPECT_EQ(chroma.kept_height, 33);
    EXPECT_EQ(chroma.block_count(), 72);
    EXPECT_EQ(chroma.places_across(), 56);
    EXPECT_EQ(chroma.places_down(), 26);
    EXPECT_FALSE(chroma.resampled);
    EXPECT_FALSE(speed_geometry(100, 100, 1.0015).resampled); // still 100x100
    const SpeedGeometry half = speed_geometry(961, 541, 0.5);
    EXPECT_EQ(half.scaled_width, 481); // 480.5, rounded up
    EXPECT_EQ(half.scaled_height, 271);
    EXPECT_TRUE(half.resampled);
}

FeatureNeeds needs_with(const OptionTexts &texts, Chroma chroma = Chroma::k420) {
    const OptionSet options = *OptionSet::parse("speed_chroma", speed_chroma_feature.options, texts);
    return needs_of(speed_chroma_feature, {.chroma = chroma}, options);
}

TEST(SpeedNeeds, FollowPrescaleAndChroma) {
    EXPECT_EQ(needs_with({}).width, 160);
    EXPECT_EQ(needs_with({}, Chroma::k422).height, 80);
    EXPECT_EQ(needs_with({}, Chroma::k444).width, 80);
    EXPECT_EQ(needs_with({{"ps", "0.5"}}, Chroma::k444).width, 159); // 79.5, rounded up
    EXPECT_EQ(needs_with({{"ps", "4"}}, Chroma::k444).width, 20);
    EXPECT_TRUE(needs_with({}).chroma);
}

TEST(SpeedNeeds, RefuseOptionsWithoutMeaning) {
    EXPECT_EQ(needs_with({{"ks", "1.6005"}}).refusal, "");
    EXPECT_EQ(needs_with({{"ks", "0.9"}}).refusal,
              "speed_kernelscale 0.9 is not one of 1, 0.5, 1.5, 2, 0.666667, 2.4, 3.71134, 1.33333, 1.16667, 1.25, "
              "1.41667, 1.66667, 3, 0.444444, 1.4746, 1.54, 1.6, 1.06667, 0.711111, 0.74074, 1.11111");
    EXPECT_EQ(needs_with({{"ps", "1.0005"}}).refusal,
              "speed_prescale 1.0005 is too close to 1 to resize pictures: give 1 or 1.001");
    EXPECT_EQ(needs_with({{"ps", "0.9995"}}).refusal, "");
}

TEST(SpeedResampling, WeightsSumToOne) {
    for (const SpeedMethod method :
         {SpeedMethod::nearest, SpeedMethod::bilinear, SpeedMethod::bicubic, SpeedMethod::lanczos4})
        for (const auto &[from, to] : {std::pair{90, 60}, {60, 90}, {97, 41}}) {
            const SpeedAxis axis = speed_axis(method, from, to);
            const SpeedAxis one = speed_axis(SpeedMethod::nearest, from, 1);
            const float value = speed_resample(method, axis, one, to / 2, 0, [](int, int) { return 3.0F; });
            EXPECT_NEAR(value, 3, 1e-5);
            for (const int index : axis.index)
                EXPECT_TRUE(index >= 0 && index < from) << index;
        }
}

/// A symmetric matrix with positive eigenvalues.
SpeedMatrix covariance_matrix(std::uint32_t seed) {
    std::mt19937 random(seed);
    SpeedMatrix factor{}, result{};
    for (auto &row : factor)
        for (float &value : row)
            value = static_cast<float>(random() % 1000) / 500 - 1;
    for (std::size_t i = 0; i < SPEED_VALUES; i++)
        for (std::size_t j = 0; j <= i; j++) {
            for (std::size_t m = 0; m < SPEED_VALUES; m++)
                result[i][j] += factor[i][m] * factor[j][m];
            result[j][i] = result[i][j] += i == j ? 1.0F : 0.0F;
        }
    return result;
}

TEST(SpeedMatrix, EigenvaluesSumToTheTrace) {
    const SpeedMatrix matrix = covariance_matrix(1);
    const SpeedVector eigenvalues = speed_eigenvalues(speed_tridiagonal(matrix));
    double trace = 0, sum = 0;
    for (std::size_t i = 0; i < SPEED_VALUES; i++) {
        trace += double{matrix[i][i]};
        sum += double{eigenvalues[i]};
        EXPECT_GT(eigenvalues[i], 0.99F);
    }
    EXPECT_NEAR(sum, trace, 1e-3);
    EXPECT_FALSE(speed_is_singular(eigenvalues));
}

TEST(SpeedMatrix, AnEigenvalueThatIsNotANumberIsSingular) {
    SpeedVector eigenvalues;
    eigenvalues.fill(1);
    eigenvalues[7] = NAN;
    EXPECT_TRUE(speed_is_singular(eigenvalues));
    eigenvalues[7] = 0x1.0c6f7ap-20F; // below 1e-6
    EXPECT_TRUE(speed_is_singular(eigenvalues));
}

TEST(SpeedMatrix, SystemsAreSolved) {
    const SpeedMatrix matrix = covariance_matrix(2);
    std::vector<float> data(SPEED_VALUES * 2, 1), x;
    ASSERT_TRUE(speed_solve(matrix, data, 2, x));
    for (std::size_t i = 0; i < SPEED_VALUES; i++) {
        double sum = 0;
        for (std::size_t k = 0; k < SPEED_VALUES; k++)
            sum += double{matrix[i][k]} * double{x[2 * k + 1]};
        EXPECT_NEAR(sum, 1, 1e-4);
    }
    EXPECT_FALSE(speed_solve({}, data, 2, x) && !std::isnan(x[0]));
}

/// The kept words of one block whose eigenvalues are 1.
std::vector<std::int64_t> completed(float reference, float distorted, const SpeedScoring &scoring, bool bad = false) {
    SpeedDemand demand{.format = {.width = 80, .height = 80, .chroma = Chroma::k444}};
    demand.add(SpeedSource::reference_cb, SpeedSource::distorted_cb, {}, scoring);
    std::vector<std::int64_t> words(2 * (SPEED_VALUES + 2), word_of(1.0F)), kept(2);
    const std::vector<SpeedWords> at = demand.words();
    words[at[0].variances] = word_of(reference);
    words[at[1].variances] = word_of(distorted);
    words[at[0].bad] = 0;
    words[at[1].bad] = bad ? 1 : 0;
    make_speed_completion(demand, newest_cpu_level())->complete(words, kept);
    return kept;
}

float completed_score(float reference, float distorted, const SpeedScoring &scoring) {
    return f32_of(completed(reference, distorted, scoring)[0]);
}

/// Eigenvalues are 1: log2(2 pi e) and the logarithm of variance and noise, for each of 25.
TEST(SpeedCompletion, WeightsEntropies) {
    const double r = 3, d = 1, sigma = 0.5;
    const auto entropy = [&](double variance) { return 25 * (std::log2(variance + sigma) + SPEED_LOG2_2PI_E); };
    const double weights[][2] = {{1 + r, 1 + d},
                                 {1 + r, 1 + r},
                                 {1 + d, 1 + d},
                                 {1 + (r + d) / 2, 1 + (r + d) / 2},
                                 {1 + r, 1 + (r + d) / 2},
                                 {1 + r, 1 + 0.75 * r + 0.25 * d},
                                 {1 + r, 1 + 0.25 * r + 0.75 * d}};
    for (int mode = 0; mode < 7; mode++)
        EXPECT_NEAR(double{completed_score(3, 1, {sigma, 0, mode})},
                    std::abs(entropy(r) * std::log2(weights[mode][0]) - entropy(d) * std::log2(weights[mode][1])), 1e-3)
            << mode;
}

/// A block counts unless both of its variances are below the floor's share of the noise.
TEST(SpeedCompletion, LeavesOutBlocksBelowTheFloor) {
    EXPECT_EQ(completed_score(0.04F, 0.02F, {0.5, 0.1, 0}), 0);
    EXPECT_GT(completed_score(0.04F, 0.02F, {0.5, 0.01, 0}), 0);
    EXPECT_GT(completed_score(0.06F, 0.02F, {0.5, 0.1, 0}), 0);
    EXPECT_GT(completed_score(0.02F, 0.06F, {0.5, 0.1, 0}), 0);
}

TEST(SpeedCompletion, GivesNoScoreWhereAPlaneIsSingular) {
    EXPECT_EQ(completed(3, 1, {0.5, 0, 0}, true), (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(completed(3, 1, {0.5, 0, 0})[1], 0);
}

constexpr auto log2_rows = math::reciprocal_rows(math::log2_table);

/// By name, the levels that have logarithms in vectors: those with a fused multiply-add.
std::vector<std::pair<std::string_view, const SpeedFunctions *>> levels_with_log2() {
    std::vector<std::pair<std::string_view, const SpeedFunctions *>> list;
    for (const CpuLevel level : usable_cpu_levels())
        if (level > CpuLevel::sse4 && speed_functions(level))
            list.emplace_back(cpu_level_name(level), speed_functions(level));
    return list;
}

/// In every interval of the table with every exponent, on both sides of where its logarithms cancel, and between.
TEST(SpeedFunctions, Log2IsTheOneOfCoreMath) {
    if (levels_with_log2().empty())
        GTEST_SKIP() << "this processor, or this build, has no level with a fused multiply-add";
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; round++) {
        std::vector<double> values(101); // whole vectors, and a rest
        for (double &value : values) {
            const double mantissa = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
            value = round % 2 == 0 ? std::ldexp(mantissa, static_cast<int>(random() % 2046) - 1022)
                                   : 0.94 + 0.12 * (mantissa - 1);
        }
        const double first = math::log2_near_1_first, end = math::log2_near_1_end;
        for (const double value : {1.0, first, std::nextafter(first, 0), end, std::nextafter(end, 0), 0x1p-1022,
                                   std::numeric_limits<double>::max()})
            values.push_back(value);
        std::vector<double> expected;
        std::ranges::transform(values, std::back_inserter(expected), math::log2);
        for (const auto &[level, functions] : levels_with_log2()) {
            std::vector<double> logs = values;
            ASSERT_TRUE(functions->log2(log2_rows.data(), logs.data(), static_cast<int>(logs.size()))) << level;
            ASSERT_EQ(logs, expected) << level << ", round " << round;
        }
    }
}

TEST(SpeedFunctions, ValuesWithoutALogarithmAreLeftToCoreMath) {
    if (levels_with_log2().empty())
        GTEST_SKIP() << "this processor, or this build, has no level with a fused multiply-add";
    std::vector<double> values(13, 2); // whole vectors, and a rest
    for (const auto &[level, functions] : levels_with_log2()) {
        for (double &value : values) {
            for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), double{NAN}}) {
                value = bad;
                std::vector<double> kept = values;
                EXPECT_FALSE(functions->log2(log2_rows.data(), kept.data(), static_cast<int>(kept.size()))) << level;
                EXPECT_EQ(std::ranges::count(kept, 2.0), 12) << level;
            }
            value = 2;
        }
    }
}

/// Systems in the layout of vector code.
struct VectorSystem {
    explicit VectorSystem(const SpeedMatrix &matrix) {
        for (std::size_t i = 0; i < SPEED_VALUES; i++)
            std::ranges::copy(matrix[i], rows[i]);
        for (auto &row : data)
            row[0] = 1;
    }
    [[nodiscard]] SpeedSystem system() {
        return {rows[0], data[0], x[0], scratch[0], product[0], 1, speed_matrix_stride};
    }

    alignas(64) float rows[SPEED_VALUES][speed_matrix_stride] = {}, data[SPEED_VALUES][speed_matrix_stride] = {},
                      x[SPEED_VALUES][speed_matrix_stride] = {}, product[SPEED_VALUES][speed_matrix_stride] = {},
                      scratch[SPEED_VALUES * speed_scratch_matrices][speed_matrix_stride] = {};
};

/// Where reflections are not finite, zeros must not be left out of sums: the definition has to solve the system.
TEST(SpeedFunctions, UnusualSystemsAreLeftToTheDefinition) {
    for (const CpuLevel level : usable_cpu_levels()) {
        const SpeedFunctions *const functions = speed_functions(level);
        if (!functions)
            continue;
        SpeedMatrix matrix = covariance_matrix(3);
        auto usual = std::make_unique<VectorSystem>(matrix);
        EXPECT_EQ(functions->solve(usual->system()), SpeedSolved::yes) << cpu_level_name(level);
        std::vector<float> data(SPEED_VALUES, 1), x;
        ASSERT_TRUE(speed_solve(matrix, data, 1, x));
        for (std::size_t e = 0; e < SPEED_VALUES; e++)
            EXPECT_EQ(usual->x[e][0], x[e]) << cpu_level_name(level);
        for (std::size_t i = 0; i < SPEED_VALUES; i++)
            matrix[i][9] = matrix[9][i] = 0; // its reflection is divided by 0
        EXPECT_EQ(functions->solve(std::make_unique<VectorSystem>(matrix)->system()), SpeedSolved::unusual)
            << cpu_level_name(level);
    }
}

} // namespace
} // namespace isovmaf::speed_test
