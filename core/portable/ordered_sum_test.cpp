// SPDX-License-Identifier: BSD-2-Clause-Patent
// Ordered sums in groups, as kernels make them, against the CPU's f32 additions in order.
#include "portable/ordered_sum.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::ordered_sum_test {
namespace {

constexpr std::uint64_t seed = 20261129;
constexpr std::size_t run_terms = 16;
constexpr std::size_t group_sizes[] = {16, 48, 1000, 4096, 65536};

using Terms = std::vector<float>;

/// Of a series; a factor of ISOVMAF_LONG_TESTS makes it longer, for runs by hand.
std::size_t count_of(std::size_t count) {
    const char *const factor = std::getenv("ISOVMAF_LONG_TESTS");
    return count * static_cast<std::size_t>(factor ? std::atoll(factor) : 1);
}

std::uint32_t added_in_order(std::span<const float> terms, std::uint32_t sum) {
    float result = f32_of_bits(sum);
    for (const float term : terms)
        result += term;
    return f32_bits(result);
}

OrderedStep step_of(std::span<const float> run, int binade) {
    OrderedRun sums = ordered_run(binade);
    for (const float term : run)
        sums = ordered_run_with(sums, term);
    return ordered_step(sums, binade);
}

/// The step of several runs: of one half of them and then of the other, until a half is a run.
OrderedStep step_of_runs(std::span<const float> terms, int binade) {
    if (terms.size() <= run_terms)
        return step_of(terms, binade);
    const std::size_t half = terms.size() / run_terms / 2 * run_terms;
    const std::size_t first = std::max(half, run_terms);
    return ordered_steps(step_of_runs(terms.first(first), binade), step_of_runs(terms.subspan(first), binade));
}

struct Walk {
    std::uint32_t sum = 0;
    std::size_t runs = 0;     ///< taken one by one
    std::size_t in_order = 0; ///< runs whose terms were added one by one
};

/// Takes the step, if it is valid.
bool take(OrderedStep step, std::uint32_t &sum) {
    if (!ordered_step_is_valid(sum, step))
        return false;
    sum = ordered_sum_after(sum, step);
    return true;
}

void walk_runs(std::span<const float> group, Walk &walk) {
    for (std::size_t i = 0; i < group.size(); i += run_terms) {
        const auto run = group.subspan(i, std::min(run_terms, group.size() - i));
        walk.runs++;
        if (take(step_of(run, ordered_binade(walk.sum)), walk.sum))
            continue;
        walk.in_order++;
        walk.sum = added_in_order(run, walk.sum);
    }
}

/// Adds the terms group by group, and expects every group's sum to begin in one of the binades that a kernel considers.
Walk walked(std::span<const float> terms, std::size_t group_terms) {
    Walk walk;
    double other = 0; // the sum in another order, nearly exact
    for (std::size_t i = 0; i < terms.size(); i += group_terms) {
        const auto group = terms.subspan(i, std::min(group_terms, terms.size() - i));
        const int binade = ordered_binade(walk.sum);
        const auto before = static_cast<std::uint32_t>(i);
        EXPECT_GE(binade, ordered_sum_lowest(static_cast<float>(other), before)) << "before term " << i;
        EXPECT_LE(binade, ordered_sum_highest(static_cast<float>(other), before)) << "before term " << i;
        if (!take(step_of_runs(group, binade), walk.sum))
            walk_runs(group, walk);
        other += std::accumulate(group.begin(), group.end(), 0.0);
    }
    return walk;
}

void expect_ordered_sum(const Terms &terms) {
    const std::uint32_t expected = added_in_order(terms, 0);
    for (const std::size_t group_terms : group_sizes)
        ASSERT_EQ(walked(terms, group_terms).sum, expected) << "groups of " << group_terms << ", seed " << seed;
}

Terms generated(std::size_t count, const std::function<float(std::size_t)> &term) {
    Terms terms(count);
    for (std::size_t i = 0; i < count; i++)
        terms[i] = term(i);
    return terms;
}

class OrderedSum : public ::testing::Test {
  protected:
    /// From 0 on, below `end`.
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_()) % end; }

    /// A number of any significand between the two powers of two.
    float number(int least, int greatest) {
        const auto exponent = least + static_cast<int>(below(static_cast<std::uint32_t>(greatest - least + 1)));
        return std::ldexp(1.0f + static_cast<float>(below(F32_LEADING)) / F32_LEADING, exponent);
    }

    std::mt19937_64 random_{seed};
};

TEST_F(OrderedSum, OfNumbersOfOneMagnitude) {
    expect_ordered_sum(generated(count_of(1'000'000), [&](std::size_t) { return number(0, 0); }));
}

TEST_F(OrderedSum, OfNumbersOfAllMagnitudes) {
    expect_ordered_sum(generated(count_of(200'000), [&](std::size_t) { return number(-20, 10); }));
    for (int i = 0; i < 20; i++)
        expect_ordered_sum(generated(2'000, [&](std::size_t) { return number(-126, 90); }));
}

/// As errors of blocks are: most are zero, some are large.
TEST_F(OrderedSum, OfFewNumbersAmongZeros) {
    expect_ordered_sum(generated(count_of(200'000), [&](std::size_t i) {
        return i / 5'000 % 3 == 1 || below(20) != 0 ? 0.0f : number(-30, 12);
    }));
}

TEST_F(OrderedSum, OfZeros) { expect_ordered_sum(Terms(10'000, 0.0f)); }

/// Every term is an odd number of half places, from the first sum on that has such places.
TEST_F(OrderedSum, OfTies) {
    for (int exponent = 0; exponent < 4; exponent++)
        expect_ordered_sum(generated(count_of(20'000), [&](std::size_t i) {
            const float start = std::ldexp(1.0f, 24 + exponent); // whose last place is 2^(exponent + 1)
            return i == 0 ? start : std::ldexp(static_cast<float>(2 * below(8) + 1), exponent);
        }));
}

/// Ties and what is just beside them, so that the last bit of the sum is of either kind when a tie follows.
TEST_F(OrderedSum, OfTiesAmongOthers) {
    for (int i = 0; i < 50; i++)
        expect_ordered_sum(generated(3'000, [&](std::size_t n) {
            if (n == 0)
                return std::ldexp(1.0f, 24); // whose last place is 2
            const std::uint32_t kind = below(4);
            const auto tie = static_cast<float>(2 * below(4) + 1);
            return kind == 0 ? std::nextafter(tie, 0.0f) : kind == 1 ? tie + 1 : tie;
        }));
}

/// The sum goes from one binade to the next at each place of a group, exactly onto the power of two or beyond it.
TEST_F(OrderedSum, OfABinadeAndTheNextAtEachPlace) {
    for (std::size_t place = 1; place < 200; place++)
        for (const float beyond : {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f})
            expect_ordered_sum(generated(208, [&](std::size_t i) {
                if (i == 0)
                    return std::ldexp(1.0f, 24) - static_cast<float>(place); // last place 1
                return i < place ? 1.0f : i == place ? 1.0f + beyond : static_cast<float>(below(4)) / 2;
            }));
}

/// What is less than half of the sum's last place adds nothing.
TEST_F(OrderedSum, OfNumbersThatDoNotCount) {
    expect_ordered_sum(generated(count_of(300'000), [&](std::size_t i) { return i < 2 ? 0x1p+25f : number(-3, 0); }));
    expect_ordered_sum(generated(count_of(300'000), [&](std::size_t i) { return i == 0 ? 0x1p+25f : 2.0f; }));
}

/// Zero, denormals and the first normal numbers are one binade.
TEST_F(OrderedSum, OfDenormals) {
    expect_ordered_sum(generated(20'000, [&](std::size_t) { return f32_of_bits(below(5'000)); }));
    expect_ordered_sum(generated(20'000, [&](std::size_t) { return f32_of_bits(below(4 * F32_LEADING)); }));
    expect_ordered_sum(generated(5'000, [&](std::size_t i) { return f32_of_bits(i % 7 == 0 ? F32_LEADING : 1); }));
    for (int i = 0; i < 50; i++)
        expect_ordered_sum(generated(64, [&](std::size_t) { return f32_of_bits(below(F32_LEADING / 4)); }));
}

/// Four runs that each add 2^30 to a pattern: their sum, 2^32, does not pass for none.
TEST_F(OrderedSum, OfRunsThatLeaveTheBinadeByFar) {
    expect_ordered_sum(generated(64, [&](std::size_t i) { return i % run_terms == 0 ? 2.0f : 0.0f; }));
}

/// Steps are valid nearly everywhere: of 245 groups, hardly more than binades are walked run by run.
TEST_F(OrderedSum, LeavesItsBinadeInFewGroups) {
    const Terms terms = generated(1'000'000, [&](std::size_t) { return number(-6, 6); });
    const Walk walk = walked(terms, 4096);
    EXPECT_LT(walk.runs, 20 * 4096 / run_terms);
    EXPECT_LT(walk.in_order, 40);
}

/// Three binades at most are possible before 2^23 terms.
TEST_F(OrderedSum, LiesInFewBinades) {
    for (std::uint32_t terms = 0; terms < 1u << 23; terms += 4096) {
        const float other = number(0, 20);
        ASSERT_LE(ordered_sum_highest(other, terms) - ordered_sum_lowest(other, terms), 2) << terms;
    }
    EXPECT_EQ(ordered_sum_lowest(0.0f, 4096), 1);
    EXPECT_EQ(ordered_sum_highest(0.0f, 4096), 1);
}

} // namespace
} // namespace isovmaf::ordered_sum_test
