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

/// Adds the terms in order and compares the sum after each of them.
void expect_sums(const std::vector<double> &terms) {
    double expected = 0;
    RunningSum sum = running_number(0);
    for (std::size_t i = 0; i < terms.size(); i++) {
        expected += terms[i];
        sum = running_add(sum, running_number(std::bit_cast<std::uint64_t>(terms[i])));
        ASSERT_EQ(running_bits(sum), std::bit_cast<std::uint64_t>(expected)) << "term " << i << ", seed " << seed;
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
