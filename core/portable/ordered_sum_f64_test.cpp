// SPDX-License-Identifier: BSD-2-Clause-Patent
// Ordered f64 sums in groups, as kernels make them, against the CPU's additions in order.
#include "portable/ordered_sum_f64.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::ordered_sum_f64_test {
namespace {

constexpr std::uint64_t seed = 20261129;
constexpr std::size_t run_terms = 16;
constexpr std::size_t group_sizes[] = {16, 48, 1000, 4096};

using Terms = std::vector<double>;

/// Of a series; a factor of ISOVMAF_LONG_TESTS makes it longer, for runs by hand.
std::size_t count_of(std::size_t count) {
    const char *const factor = std::getenv("ISOVMAF_LONG_TESTS");
    return count * static_cast<std::size_t>(factor ? std::atoll(factor) : 1);
}

std::uint64_t added_in_order(std::span<const double> terms, std::uint64_t sum) {
    auto result = std::bit_cast<double>(sum);
    for (const double term : terms)
        result += term;
    return std::bit_cast<std::uint64_t>(result);
}

/// The step of several runs: of one half of them and then of the other, until a half is a run.
OrderedF64Step step_of(std::span<const double> terms, int binade) {
    if (terms.size() <= run_terms) {
        OrderedF64Step step = ordered_f64_step_of_zeros();
        for (const double term : terms)
            step = ordered_f64_step_with(step, std::bit_cast<std::uint64_t>(term), binade);
        return ordered_f64_step_or_none(step);
    }
    const std::size_t first = std::max(terms.size() / run_terms / 2 * run_terms, run_terms);
    return ordered_steps(step_of(terms.first(first), binade), step_of(terms.subspan(first), binade));
}

struct Walk {
    std::uint64_t sum = 0;
    std::size_t runs = 0; ///< taken one by one
};

/// Takes the step, if it is valid.
bool take(OrderedF64Step step, std::uint64_t &sum) {
    if (!ordered_step_is_valid(sum, step))
        return false;
    sum = ordered_sum_after(sum, step);
    return true;
}

Walk walked(std::span<const double> terms, std::size_t group_terms) {
    Walk walk;
    for (std::size_t i = 0; i < terms.size(); i += group_terms) {
        const auto group = terms.subspan(i, std::min(group_terms, terms.size() - i));
        if (take(step_of(group, ordered_f64_binade(walk.sum)), walk.sum))
            continue;
        for (std::size_t r = 0; r < group.size(); r += run_terms) {
            const auto run = group.subspan(r, std::min(run_terms, group.size() - r));
            walk.runs++;
            if (!take(step_of(run, ordered_f64_binade(walk.sum)), walk.sum))
                walk.sum = added_in_order(run, walk.sum);
        }
    }
    return walk;
}

/// Also of the terms with the other sign.
void expect_ordered_sum(Terms terms) {
    for (int sign = 0; sign < 2; sign++) {
        const std::uint64_t expected = added_in_order(terms, 0);
        for (const std::size_t group_terms : group_sizes)
            ASSERT_EQ(walked(terms, group_terms).sum, expected) << "groups of " << group_terms << ", seed " << seed;
        std::ranges::transform(terms, terms.begin(), std::negate());
    }
}

Terms generated(std::size_t count, const std::function<double(std::size_t)> &term) {
    Terms terms(count);
    for (std::size_t i = 0; i < count; i++)
        terms[i] = term(i);
    return terms;
}

class OrderedSumF64 : public ::testing::Test {
  protected:
    /// From 0 on, below `end`.
    int below(int end) { return static_cast<int>(random_() % static_cast<std::uint64_t>(end)); }

    /// A positive number of any significand between the two powers of two.
    double number(int least, int greatest) {
        return std::ldexp(1 + std::ldexp(static_cast<double>(random_() >> 12), -52),
                          least + below(greatest - least + 1));
    }

    double sign() { return below(2) == 0 ? 1 : -1; }

    std::mt19937_64 random_{seed};
};

/// As similarities are.
TEST_F(OrderedSumF64, OfNumbersOfOneMagnitude) {
    expect_ordered_sum(generated(count_of(300'000), [&](std::size_t) { return number(-1, -1); }));
    expect_ordered_sum(generated(count_of(100'000), [&](std::size_t) { return 1.0; }));
}

TEST_F(OrderedSumF64, OfNumbersOfAllMagnitudes) {
    expect_ordered_sum(generated(count_of(100'000), [&](std::size_t) { return number(-60, 10); }));
    for (int i = 0; i < 20; i++)
        expect_ordered_sum(generated(2'000, [&](std::size_t) { return sign() * number(-200, 200); }));
}

/// Sums go up and down through binades, and through zero.
TEST_F(OrderedSumF64, OfBothSigns) {
    expect_ordered_sum(generated(count_of(100'000), [&](std::size_t) { return sign() * number(-8, 0); }));
    expect_ordered_sum(generated(count_of(100'000), [&](std::size_t) { return sign() * number(-1, -1) + 0.01; }));
    expect_ordered_sum(generated(count_of(50'000), [&](std::size_t i) { return i % 2 == 0 ? 0.75 : -0.75; }));
}

TEST_F(OrderedSumF64, OfZeros) {
    expect_ordered_sum(generated(10'000, [&](std::size_t i) { return i % 1000 == 700 ? number(-3, 3) : 0.0; }));
}

/// Around a power of two, in whose binade places are twice those of the one below: ties of both kinds of places, and
/// what is just beside them.
TEST_F(OrderedSumF64, OfTiesBesideAPowerOfTwo) {
    for (int i = 0; i < 400; i++)
        expect_ordered_sum(generated(64, [&](std::size_t n) {
            if (n == 0)
                return 0x1p+53 + 2 * below(12); // last place 2
            const double tie = below(16) / 4.0;
            const int kind = below(4);
            return sign() * (kind == 0 ? std::nextafter(tie, 0.0) : kind == 1 ? std::nextafter(tie, 8.0) : tie);
        }));
}

/// The sum goes below its binade and comes back within one run or group.
TEST_F(OrderedSumF64, OfSumsThatComeBack) {
    for (std::size_t place = 1; place < 100; place++)
        for (const double below_it : {0.25, 0.5, 1.0, 3.0})
            expect_ordered_sum(generated(112, [&](std::size_t i) {
                return i == 0 ? 0x1p+53 : i == place ? -below_it : i == place + 1 ? below_it + 2 : below(3) / 2.0;
            }));
}

/// Steps are valid nearly everywhere: hardly more groups than binades are walked run by run.
TEST_F(OrderedSumF64, LeavesItsBinadeInFewGroups) {
    const Terms terms = generated(500'000, [&](std::size_t) { return 0.5 + sign() * number(-3, -2); });
    EXPECT_LT(walked(terms, 4096).runs, 20 * 4096 / run_terms);
}

TEST_F(OrderedSumF64, HasTheBinadeOfItsUnits) {
    for (const double sum : {1.0, -1.0, 3.0, -1023.5, 0x1p-20, 0.0})
        EXPECT_EQ(ordered_f64_binade_of(static_cast<std::int64_t>(sum * 0x1p+20), -20),
                  ordered_f64_binade(std::bit_cast<std::uint64_t>(sum)));
}

} // namespace
} // namespace isovmaf::ordered_sum_f64_test
