// SPDX-License-Identifier: BSD-2-Clause-Patent
// The integers of vif_integer_math.h against the doubles of vif_math.h.
#include "features/vif/vif_integer_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace isovmaf::vif_integer_math_test {
namespace {

constexpr double unlimited = 1e9; // a gain is less than 2^14
constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

static_assert(std::bit_cast<std::uint64_t>(VIF_GAIN_EPSILON) == VIF_GAIN_EPSILON_BITS);

/// How often the integers decided without a replay, and what came out wrong first.
class Comparison {
  public:
    ~Comparison() { EXPECT_EQ(wrong_, 0U); }

    void add(VifMoments m, double gain_limit) { add(m, gain_limit, 1.0F / static_cast<float>(m.sigma1_sq)); }

    /// `reciprocal` is what a device takes for 1 / sigma1_sq.
    void add(VifMoments m, double gain_limit, float reciprocal) {
        const VifGain gain = vif_gain(m);
        const VifLimit limit = cached(gain_limit);
        const VifPowers replayed = vif_replay(m);
        VifPowers powers = vif_decide(m, reciprocal);
        bool right = same(replayed, m, gain) && replayed.gain == std::bit_cast<std::uint64_t>(gain.gain) &&
                     (!powers.decided || same(powers, m, gain));
        const bool reached = gain.gain >= gain_limit;
        right = right && (reached ? !vif_limit_is_above(m, limit) : !vif_limit_is_reached(m, limit));

        if (!powers.decided || !vif_limit_is_decided(m, limit))
            powers = replayed;
        else
            decided_++;
        const std::uint64_t signal = vif_signal(gain, gain_limit, m.sigma1_sq);
        right = right && vif_limited_signal(powers, limit, m) == signal && powers.noise == gain.noise;
        right = right && vif_limited_signal(replayed, limit, m) == signal;
        right = right && vif_signal_f64(gain, gain_limit, m.sigma1_sq) == static_cast<double>(signal);
        count_++;
        if (!right && wrong_++ == 0)
            ADD_FAILURE() << "sigma1_sq " << m.sigma1_sq << ", sigma2_sq " << m.sigma2_sq << ", sigma12 " << m.sigma12
                          << ", gain limit " << std::hexfloat << gain_limit;
    }

    [[nodiscard]] double decided_share() const { return static_cast<double>(decided_) / static_cast<double>(count_); }

  private:
    static bool same(VifPowers powers, VifMoments m, VifGain gain) {
        return powers.noise == gain.noise && powers.signal + powers.noise == vif_signal(gain, unlimited, m.sigma1_sq);
    }

    const VifLimit &cached(double gain_limit) {
        if (gain_limit != cached_from_) {
            cached_from_ = gain_limit;
            cached_ = vif_limit(std::bit_cast<std::uint64_t>(gain_limit));
        }
        return cached_;
    }

    std::uint64_t count_ = 0, decided_ = 0, wrong_ = 0;
    double cached_from_ = 0;
    VifLimit cached_{};
};

/// Seeded, so that a failure comes again.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    std::int64_t between(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
    }
    std::int64_t around(std::int64_t value, std::int64_t distance) {
        return between(value - distance, value + distance);
    }
    /// Every magnitude is as likely as any other.
    std::int32_t magnitude(std::int64_t least) {
        const std::int64_t bits =
            between(static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(least))), 31);
        return static_cast<std::int32_t>(between(std::max(least, std::int64_t{1} << (bits - 1)), (1LL << bits) - 1));
    }
    double limit() { return 1.0 + static_cast<double>(engine_() >> 11) * 0x1p-53 * 99.0; }

  private:
    std::mt19937_64 engine_;
};

const std::array<double, 9> usual_limits{1.0, 1.01, 1.2, 1.5, 4.25, 10.0, 99.99, 100.0, 127.9};

bool is_valid(std::int64_t s1, std::int64_t s2, std::int64_t s12) {
    return s1 >= VIF_NOISE && s1 <= largest && s2 > 0 && s2 <= largest && s12 > 0 && s12 <= largest;
}

VifMoments moments(std::int64_t s1, std::int64_t s2, std::int64_t s12) {
    return {static_cast<std::int32_t>(s1), static_cast<std::int32_t>(s2), static_cast<std::int32_t>(s12)};
}

void add_if_valid(Comparison &comparison, std::int64_t s1, std::int64_t s2, std::int64_t s12, double gain_limit) {
    if (is_valid(s1, s2, s12))
        comparison.add(moments(s1, s2, s12), gain_limit);
}

/// Factor of ISOVMAF_LONG_TESTS, for runs by hand.
std::int64_t repeats(std::int64_t count) {
    const char *const factor = std::getenv("ISOVMAF_LONG_TESTS");
    return count * (factor ? std::atoll(factor) : 1);
}

TEST(VifIntegerMath, MomentsOfEveryMagnitudeGiveTheDoublesIntegers) {
    Comparison comparison;
    Draw draw(1);
    for (const double limit : usual_limits)
        for (std::int64_t i = 0; i < repeats(40'000); i++)
            comparison.add({draw.magnitude(VIF_NOISE), draw.magnitude(1), draw.magnitude(1)}, limit);
    for (std::int64_t i = 0; i < repeats(40'000); i++)
        comparison.add({draw.magnitude(VIF_NOISE), draw.magnitude(1), draw.magnitude(1)}, draw.limit());
}

/// Distorted = gain * reference + noise.
TEST(VifIntegerMath, MomentsOfPicturesAreHardlyEverReplayed) {
    Comparison comparison;
    Draw draw(2);
    for (std::int64_t i = 0; i < repeats(300'000); i++) {
        const std::int64_t s1 = draw.magnitude(VIF_NOISE) / 2 + VIF_NOISE;
        const std::int64_t s12 = s1 * draw.between(1, 1400) / 1000;
        const std::int64_t s2 = s12 * s12 / s1 + draw.magnitude(1) / 4;
        add_if_valid(comparison, s1, s2, s12, i % 2 == 0 ? 1.0 : 100.0);
    }
    EXPECT_GT(comparison.decided_share(), 0.9999);
}

/// As of identical pictures, or of one that is brighter or has twice the contrast: remainders are 0 or small squares.
TEST(VifIntegerMath, MomentsOfCopiesAreHardlyEverReplayed) {
    Comparison comparison;
    Draw draw(3);
    for (std::int64_t i = 0; i < repeats(150'000); i++) {
        const std::int64_t s1 = draw.magnitude(VIF_NOISE), halves = draw.between(1, 4);
        const std::int64_t s12 = draw.around(s1 * halves / 2, 2), s2 = draw.around(s1 * halves * halves / 4, 2);
        add_if_valid(comparison, s1, s2, s12, i % 2 == 0 ? 1.0 : 100.0);
    }
    EXPECT_GT(comparison.decided_share(), 0.999);
}

/// s12 = n s1 + j makes the remainder j^2. It lies at a border where that is epsilon times the quotient, or twice that.
TEST(VifIntegerMath, RemaindersAroundTheBordersGiveTheDoublesIntegers) {
    Comparison comparison;
    Draw draw(4);
    for (std::int64_t i = 0; i < repeats(300'000); i++) {
        const std::int64_t n = draw.between(1, 6), j = draw.between(-120, 120) * n;
        const double epsilons = static_cast<double>(n * n * draw.between(1, 2)) * VIF_GAIN_EPSILON;
        const auto border = static_cast<std::int64_t>(static_cast<double>(j * j) / epsilons);
        const std::int64_t near = std::min<std::int64_t>(border / 1024 + 1, std::int64_t{1} << draw.between(0, 20));
        const std::int64_t s1 = draw.around(border, near), s12 = n * s1 + j;
        add_if_valid(comparison, s1, draw.around(n * n * s1 + 2 * n * j, 3), s12, draw.limit());
        add_if_valid(comparison, s1, draw.magnitude(1), s12, 100.0);
    }
}

/// What is explained lies above an integer by so little that the difference from sigma2_sq rounds to an integer.
TEST(VifIntegerMath, TheDifferenceFromALargeVarianceIsRounded) {
    Comparison comparison;
    Draw draw(5);
    for (std::int64_t i = 0; i < repeats(120'000); i++) {
        const std::int64_t root = draw.between(1, 32), s1 = draw.between(1 << 23, largest);
        add_if_valid(comparison, s1, draw.between(1 << 29, largest), draw.between(0, 1) * s1 + root, 100.0);
    }
}

/// Remainders 0, 1, s1 - 1 and their like: s1 divides a^2 + d, of which sigma12 is a plus a multiple of s1.
TEST(VifIntegerMath, RemaindersAtBothEndsGiveTheDoublesIntegers) {
    Comparison comparison;
    Draw draw(6);
    for (std::int64_t i = 0; i < repeats(120'000); i++) {
        const std::int64_t a = draw.between(362, 46340), s1 = a * a + draw.around(0, 3);
        add_if_valid(comparison, s1, draw.magnitude(1), a + draw.between(0, 3) * s1, 100.0);
        const std::int64_t power = std::int64_t{1} << draw.between(17, 30);
        const std::int64_t factor = draw.between(1, 1 << 12);
        add_if_valid(comparison, power, draw.magnitude(1), factor << draw.between(0, 20), draw.limit());
        add_if_valid(comparison, draw.around(power, 1), draw.around(factor << 17, 1), draw.around(factor << 17, 1),
                     100.0);
    }
}

TEST(VifIntegerMath, TheEndsOfTheRangeGiveTheDoublesIntegers) {
    Comparison comparison;
    std::vector<std::int64_t> values{1, 2, 3};
    for (const std::int64_t end : {std::int64_t{VIF_NOISE}, std::int64_t{1} << 30, largest})
        for (std::int64_t i = -2; i <= 2; i++)
            values.push_back(end + i);
    for (const std::int64_t s1 : values)
        for (const std::int64_t s2 : values)
            for (const std::int64_t s12 : values)
                for (const double limit : usual_limits)
                    add_if_valid(comparison, s1, s2, s12, limit);
}

TEST(VifIntegerMath, GainsAtTheLimitAreOnTheDoublesSide) {
    Comparison comparison;
    Draw draw(7);
    for (std::int64_t i = 0; i < repeats(120'000); i++) {
        const double usual = usual_limits[static_cast<std::size_t>(draw.between(0, 8))];
        const std::int64_t s1 = draw.magnitude(VIF_NOISE), s2 = draw.magnitude(1);
        const auto proportional = static_cast<std::int64_t>(static_cast<double>(s1) * usual);
        add_if_valid(comparison, s1, s2, draw.around(proportional, 2), usual);
        const VifMoments m = moments(s1, s2, draw.between(s1, largest));
        const double gain = vif_gain(m).gain;
        for (const double limit : {gain, std::nextafter(gain, 0.0), std::nextafter(gain, 200.0)})
            if (limit >= 1 && limit < 128)
                comparison.add(m, limit);
    }
}

/// The squared limit times sigma1_sq lies within some steps of f64 from an integer, on either side.
TEST(VifIntegerMath, LimitedPowersNextToIntegersAreTheDoubles) {
    Comparison comparison;
    Draw draw(8);
    for (std::int64_t i = 0; i < repeats(120'000); i++) {
        const std::int64_t s1 = draw.magnitude(VIF_NOISE), power = draw.between(s1, s1 * draw.between(1, 10'000));
        double limit = std::sqrt(static_cast<double>(power) / static_cast<double>(s1));
        for (std::int64_t steps = draw.between(0, 3); steps > 0; steps--)
            limit = std::nextafter(limit, 0.0);
        if (limit >= 1)
            comparison.add({static_cast<std::int32_t>(s1), draw.magnitude(1), static_cast<std::int32_t>(largest)},
                           limit);
    }
}

/// 2.5 units in the last place of a quotient, one of each conversion, in either direction.
TEST(VifIntegerMath, ARoughReciprocalGivesTheDoublesIntegers) {
    Comparison comparison;
    Draw draw(9);
    for (std::int64_t i = 0; i < repeats(120'000); i++) {
        const VifMoments m{draw.magnitude(VIF_NOISE), draw.magnitude(1), draw.magnitude(1)};
        auto reciprocal = 1.0F / static_cast<float>(m.sigma1_sq);
        reciprocal *= 1.0F + static_cast<float>(draw.around(0, 4)) * 0x1p-23F;
        comparison.add(m, 100.0, reciprocal);
    }
    EXPECT_GT(comparison.decided_share(), 0.3);
}

/// Worse than any device's: quotients are not exact, which is noticed.
TEST(VifIntegerMath, AWrongReciprocalIsNoticed) {
    Comparison comparison;
    Draw draw(10);
    for (std::int64_t i = 0; i < repeats(120'000); i++) {
        const VifMoments m{draw.magnitude(VIF_NOISE), draw.magnitude(1), draw.magnitude(1)};
        const float right = 1.0F / static_cast<float>(m.sigma1_sq);
        for (const float factor : {0.0F, 0.5F, 0.99F, 1.0F + 0x1p-17F})
            comparison.add(m, 100.0, right * factor);
    }
    EXPECT_LT(comparison.decided_share(), 0.7);
}

void expect_one_logarithm(std::uint64_t v) {
    const VifLog of_integer = vif_log_of(v), of_double = vif_log_of(static_cast<double>(v));
    EXPECT_EQ(of_double.index, of_integer.index) << v;
    EXPECT_EQ(of_double.added, of_integer.added) << v;
    if (v >> 32 == 0) {
        EXPECT_EQ(vif_log_of(static_cast<std::uint32_t>(v)).index, of_integer.index) << v;
        EXPECT_EQ(vif_log_of(static_cast<std::uint32_t>(v)).added, of_integer.added) << v;
    }
}

TEST(VifIntegerMath, DoublesHaveTheLogarithmsOfTheirIntegers) {
    std::mt19937_64 random(11);
    for (int bits = 15; bits < 52; bits++) {
        const std::uint64_t first = std::uint64_t{1} << bits;
        expect_one_logarithm(first);
        expect_one_logarithm(2 * first - 1);
        for (int i = 0; i < 1000; i++)
            expect_one_logarithm(first + random() % first);
    }
}

} // namespace
} // namespace isovmaf::vif_integer_math_test
