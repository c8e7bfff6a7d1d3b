// SPDX-License-Identifier: BSD-2-Clause-Patent
// Sums in integers against the CPU's doubles.
#include "portable/running_sum.h"

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::running_sum_test {
namespace {

constexpr std::uint64_t seed = 20261129;

/// Adds the terms in order, one by one and in batches, and compares the sum after each of them and after each batch.
void expect_sums(const std::vector<double> &terms) {
    double expected = 0;
    RunningSum sum = running_number(0), batched = sum;
    RunningBatch batch;
    for (std::size_t i = 0; i < terms.size(); i++) {
        expected += terms[i];
        const auto bits = std::bit_cast<std::uint64_t>(terms[i]);
        sum = running_add(sum, running_number(bits));
        ASSERT_EQ(running_bits(sum), std::bit_cast<std::uint64_t>(expected)) << "term " << i << ", seed " << seed;
        batch.terms[i % RUNNING_BATCH] = running_term(running_number(bits));
        if ((i + 1) % RUNNING_BATCH > 0)
            continue;
        batched = running_add_batch(batched, batch);
        ASSERT_EQ(running_bits(batched), std::bit_cast<std::uint64_t>(expected))
            << "batch to " << i << ", seed " << seed;
    }
}

class RunningSums : public ::testing::Test {
  protected:
    /// A number of either sign, below 2^`scale`, with so many bits.
    double number(int bits, int scale) {
        const auto units = static_cast<std::int64_t>(random_() >> (64 - bits));
        return std::ldexp(static_cast<double>(random_() % 2 ? units : -units), scale - bits);
    }
    int between(int least, int greatest) { return std::uniform_int_distribution(least, greatest)(random_); }

    std::mt19937_64 random_{seed};
};

TEST_F(RunningSums, OfEitherSign) {
    std::vector<double> terms;
    for (int i = 0; i < 200'000; i++)
        terms.push_back(number(53, 3));
    expect_sums(terms);
}

TEST_F(RunningSums, OfAllSizes) {
    std::vector<double> terms;
    for (int i = 0; i < 200'000; i++)
        terms.push_back(number(between(1, 53), between(-200, 200)));
    expect_sums(terms);
}

/// Half of the last bit of the sum, and what is next to that, far below and between.
TEST_F(RunningSums, OfTies) {
    std::vector<double> terms;
    double sum = 0;
    for (int i = 0; i < 200'000; i++) {
        const double unit = std::ldexp(1.0, std::ilogb(sum == 0 ? 1 : sum) - 52);
        const double factors[] = {0.5, -0.5, 1.5, -1.5, 0.5 + 0x1p-30, 0.5 - 0x1p-40, 0x1p-20, -0x1p-70, 3, 1};
        terms.push_back(i % 16 == 0 ? number(53, between(-3, 3)) : unit * factors[between(0, 9)]);
        sum += terms.back();
    }
    expect_sums(terms);
}

/// Batches that begin few units away from a power of two, with terms of few halves and quarters of a unit.
TEST_F(RunningSums, NextToPowersOfTwo) {
    std::vector<double> terms;
    for (int i = 0; i < 50'000; i++) {
        const int scale = between(-3, 3);
        const double unit = std::ldexp(random_() % 2 ? 1 : -1, scale - 52);
        const double start = unit * (0x1p+52 * between(1, 2) + between(-6, 6));
        terms.insert(terms.end(), {start, 0, 0, 0});
        double sum = start;
        for (int k = 0; k < RUNNING_BATCH; k++) {
            terms.push_back(unit / 4 * between(-7, 7));
            sum += terms.back();
        }
        terms.insert(terms.end(), {-sum, 0, 0, 0});
    }
    expect_sums(terms);
}

/// Sums that lose up to 12 bits within a batch, beside smaller terms with all their bits, and that begin small.
TEST_F(RunningSums, ThatShrinkAndGrowInABatch) {
    std::vector<double> terms;
    double sum = 0;
    const auto add = [&](double term) {
        terms.push_back(term);
        sum += term;
    };
    for (int i = 0; i < 100'000; i++) {
        const int scale = between(-12, 3), place = between(0, RUNNING_BATCH - 1);
        for (int k = 0; k < RUNNING_BATCH; k++)
            add(k == place ? -sum + number(53, scale - between(0, 12))
                           : number(between(20, 53), scale - between(0, 14)));
    }
    expect_sums(terms);
}

/// Products of differences of f32, all sizes and zeros, as terms.
TEST_F(RunningSums, OfProducts) {
    const auto value = [&] {
        const auto noise = static_cast<std::uint32_t>(random_());
        const std::uint32_t near = (noise & 0x807fffff) | static_cast<std::uint32_t>(between(100, 140)) << 23;
        const std::uint32_t choices[] = {near, near & 0xfff00000, noise % F32_INFINITY, noise & 0x807fffff,
                                         0,    F32_SIGN};
        return choices[between(0, 9) % 6];
    };
    for (int i = 0; i < 200'000; i++) {
        const std::uint32_t v = value(), v_mean = value(), w = value(), w_mean = i % 8 ? value() : w;
        const double left = double{f32_of_bits(v)} - double{f32_of_bits(v_mean)};
        const double expected = left * (double{f32_of_bits(w)} - double{f32_of_bits(w_mean)});
        const RunningTerm found = running_product(running_difference(v, v_mean), running_difference(w, w_mean));
        const RunningTerm term = running_term(running_number(std::bit_cast<std::uint64_t>(expected)));
        ASSERT_EQ(found.wide, term.wide) << expected << ", case " << i << ", seed " << seed;
        ASSERT_EQ(found.place, term.place) << expected << ", case " << i << ", seed " << seed;
    }
    const std::uint32_t one = f32_bits(1), small = f32_bits(0x1p-27F); // 1 - 2^-54 is rounded to 1
    const RunningTerm found =
        running_product(running_difference(one, small), running_difference(one, small | F32_SIGN));
    EXPECT_EQ(found.place, running_term(running_number(std::bit_cast<std::uint64_t>(1.0))).place);
}

/// What nearly vanishes, and what vanishes.
TEST_F(RunningSums, OfWhatCancels) {
    std::vector<double> terms;
    for (int i = 0; i < 50'000; i++) {
        const double value = number(53, between(-3, 3));
        const double other = -value + number(between(1, 20), between(-60, -40));
        terms.insert(terms.end(), {value, other, -(value + other), 0.0, -0.0});
    }
    expect_sums(terms);
}

} // namespace
} // namespace isovmaf::running_sum_test
