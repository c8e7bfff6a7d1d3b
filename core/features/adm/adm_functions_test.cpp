// SPDX-License-Identifier: BSD-2-Clause-Patent
// ADM's vector functions on numbers at the borders of their arithmetic, against adm_math.h.
#include "features/adm/adm_functions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "features/testing/adm_pixel.hpp"
#include "features/testing/path_runner.hpp"

namespace isovmaf::adm_functions_test {
namespace {

using Row = std::vector<std::int32_t>;
constexpr std::int32_t largest_first = 27412, largest_later = 0x7f000000;

/// Runs a check at every level with vector functions.
template <class Check>
void at_every_level(Check check) {
    for (const CpuLevel level : usable_cpu_levels())
        if (level != CpuLevel::scalar) {
            SCOPED_TRACE(cpu_level_name(level));
            check(*adm_functions(level));
        }
}

/// Rows of the three bands.
struct Bands {
    Row rows[ADM_BAND_COUNT];

    explicit Bands(std::size_t columns = 0) {
        for (Row &row : rows)
            row.resize(columns + adm_row_padding);
    }
    AdmRows pointers() { return {{rows[0].data(), rows[1].data(), rows[2].data()}}; }
};

// --- decoupling

/// Pixels of both pictures.
struct Pixels {
    Bands o, t;
    int count = 0;

    void add(const AdmPair &pair) {
        for (int band = 0; band < ADM_BAND_COUNT; band++) {
            o.rows[band].insert(o.rows[band].begin() + count, pair.reference[band]);
            t.rows[band].insert(t.rows[band].begin() + count, pair.distorted[band]);
        }
        count++;
    }
};

void expect_decoupled(bool first, Pixels &pixels, std::vector<double> limits) {
    at_every_level([&](const AdmFunctions &functions) {
        std::vector<Bands> restored, added;
        std::vector<AdmGainRows> gains;
        for (std::size_t i = 0; i < limits.size(); i++) {
            restored.emplace_back(pixels.count);
            added.emplace_back(pixels.count);
        }
        for (std::size_t i = 0; i < limits.size(); i++)
            gains.push_back(adm_gain_rows(limits[i], restored[i].pointers(), added[i].pointers()));
        (first ? functions.first : functions.later)
            .decouple(pixels.o.pointers(), pixels.t.pointers(), {0, pixels.count}, gains.data(),
                      static_cast<int>(gains.size()));
        for (std::size_t i = 0; i < limits.size(); i++)
            for (int x = 0; x < pixels.count; x++) {
                AdmPair pair;
                for (int band = 0; band < ADM_BAND_COUNT; band++) {
                    pair.reference[band] = pixels.o.rows[band][static_cast<std::size_t>(x)];
                    pair.distorted[band] = pixels.t.rows[band][static_cast<std::size_t>(x)];
                }
                const AdmPixel want = testing::define_adm_pixel(first, pair, limits[i]);
                for (int band = 0; band < ADM_BAND_COUNT; band++) {
                    const auto at = static_cast<std::size_t>(x);
                    ASSERT_EQ(restored[i].rows[band][at], want.of[ADM_PART_RESTORED][band])
                        << "o " << pair.reference[band] << ", t " << pair.distorted[band] << ", limit " << limits[i];
                    ASSERT_EQ(added[i].rows[band][at], want.of[ADM_PART_ADDED][band]);
                }
            }
    });
}

/// The smallest t whose gain over o = m * 2^shift is k: the quotient is a half just there.
std::int64_t border(std::int32_t m, int shift, std::int64_t k) {
    const std::int64_t d = adm_reciprocal(static_cast<std::uint32_t>(m));
    return ((k << (15 + shift)) - (std::int64_t{1} << (14 + shift)) + d - 1) / d;
}

/// A pixel with a pair of coefficients in all bands. Vectors of opposite directions are not `kept`: no limit holds what
/// is restored.
void add_pixel(Pixels &pixels, bool kept, std::int64_t o, std::int64_t t, std::int32_t largest) {
    if (std::max(std::abs(o), std::abs(t)) > largest)
        return;
    const auto a = static_cast<std::int32_t>(o), b = static_cast<std::int32_t>(t);
    pixels.add({{a, a, a}, {b, kept ? b : -b, b}});
}

/// With every divisor there is, quotients just below and at a half.
TEST(AdmFunctionsPath, EveryDivisorOfScale0RestoresLikeTheDefinition) {
    std::mt19937 random(testing::test_seed());
    Pixels pixels;
    for (std::int32_t m = 0; m <= largest_first; m++) {
        const std::int64_t t = border(std::max(m, 1), 0, static_cast<std::int64_t>(random() % 32769));
        const std::int64_t sign = m % 2 == 0 ? 1 : -1;
        for (const std::int64_t v : {t, t - 1, std::int64_t{m}, std::int64_t{m} + 1, std::int64_t{m} * 2})
            add_pixel(pixels, false, sign * m, sign * v, largest_first);
        add_pixel(pixels, false, m, -t, largest_first);
        const int zeros = std::countr_zero(static_cast<std::uint32_t>(std::max(m, 1)));
        const std::int64_t half =
            border(std::max(m, 1), 0, std::int64_t{1} << std::max(14 - zeros, 0)); // of o times it
        for (const int s : {1, -1})
            add_pixel(pixels, false, s * m, s * half, largest_first);
    }
    expect_decoupled(true, pixels, {100});
}

TEST(AdmFunctionsPath, EveryDivisorOfLaterScalesRestoresLikeTheDefinition) {
    std::mt19937 random(testing::test_seed());
    Pixels pixels;
    for (std::int32_t m = 1; m <= 32768; m++) {
        const int shift = m < 16384 ? 0 : static_cast<int>(random() % 17);
        // the first and the last magnitude that are rounded to m
        const std::int64_t half = (std::int64_t{1} << shift) / 2, middle = std::int64_t{m} << shift;
        const std::int64_t sign = m % 2 == 0 ? 1 : -1;
        for (const std::int64_t o : {middle - half, middle - half - 1, middle + half - 1, middle + half}) {
            const std::int64_t t = border(m, shift, static_cast<std::int64_t>(random() % 32769));
            for (const std::int64_t v : {t, t - 1, o, 2 * o, 2 * o + 1})
                add_pixel(pixels, false, sign * o, sign * v, largest_later);
        }
    }
    for (int bit = 0; bit < 31; bit++)
        for (const std::int64_t o : {(std::int64_t{1} << bit) - 1, std::int64_t{1} << bit})
            for (const std::int64_t t : {std::int64_t{0}, o - 1, o, o + 1, -o, std::int64_t{largest_later}})
                add_pixel(pixels, false, o, t, largest_later);
    expect_decoupled(false, pixels, {100});
}

/// Distorted coefficients where the limit begins to hold them.
TEST(AdmFunctionsPath, GainLimitsHoldLikeTheDefinition) {
    std::mt19937 random(testing::test_seed());
    const std::vector<double> limits = {1, 1.2, 1.7320508075688772, 2, 3.3, 99.99999999, 100};
    for (const bool first : {true, false}) {
        const std::int32_t largest = first ? largest_first : largest_later;
        Pixels pixels;
        for (int i = 0; i < 3000; i++) {
            const auto o = static_cast<std::int64_t>(random() % 0x7fffffff) >> (random() % 31);
            const std::int64_t sign = random() % 2 == 0 ? 1 : -1;
            const auto edge = static_cast<std::int64_t>(static_cast<double>(o) * limits[random() % limits.size()]);
            for (const std::int64_t t : {edge - 1, edge, edge + 1, std::int64_t{largest}})
                add_pixel(pixels, true, sign * o, sign * t, largest);
        }
        expect_decoupled(first, pixels, limits);
    }
}

/// Vectors one degree apart, as exactly as integers can be, and a little more and less.
TEST(AdmFunctionsPath, DirectionsAreComparedLikeTheDefinition) {
    std::mt19937 random(testing::test_seed());
    const double degree = std::acos(std::sqrt(adm_cos_1deg_squared)), turn = 2 * std::acos(-1.0);
    for (const bool first : {true, false}) {
        Pixels pixels;
        for (int i = 0; i < 10000; i++) {
            const int bits = static_cast<int>(random() % (first ? 15 : 31));
            const double length = (first ? largest_first : 1.9e9) / std::ldexp(1.0, bits);
            const auto fraction = [&] { return static_cast<double>(random()) * 0x1p-32; };
            const double angle = fraction() * turn, other = std::ldexp(fraction(), -static_cast<int>(random() % 8));
            const double near = degree * (1 + (static_cast<int>(random() % 9) - 4) * 0x1p-20);
            const auto whole = [](double v) { return static_cast<std::int32_t>(std::lround(v)); };
            const double to = angle + (random() % 2 == 0 ? near : -near);
            pixels.add({{whole(length * std::cos(angle)), whole(length * std::sin(angle)), 1},
                        {whole(length * other * std::cos(to)), whole(length * other * std::sin(to)), 100}});
        }
        expect_decoupled(first, pixels, {100});
    }
}

// --- masking

std::int32_t signed_number(std::mt19937 &random, std::int32_t largest) {
    const auto number =
        static_cast<std::int32_t>(random() % (static_cast<std::uint32_t>(largest) + 1)) >> (random() % 24);
    return random() % 4 == 0 ? largest : random() % 2 == 0 ? number : -number;
}

constexpr std::uint32_t csf_first[] = {36453, 36453, 49417}, csf_later[] = {251775280, 137373792, 154193616};
constexpr std::size_t columns = 5003;

TEST(AdmFunctionsPath, SharesAreTheDefinitions) {
    std::mt19937 random(testing::test_seed());
    for (const bool first : {true, false}) {
        Bands mask(columns);
        for (Row &row : mask.rows)
            for (std::int32_t &value : row)
                value = signed_number(random, first ? largest_first : largest_later);
        const std::uint32_t *const csf = first ? csf_first : csf_later;
        for (const std::int64_t rounding : {ADM_MINUS_HALF, ADM_PLUS_HALF})
            at_every_level([&](const AdmFunctions &functions) {
                Bands shares(columns), weighted(columns);
                const AdmRows weighted_rows = weighted.pointers();
                (first ? functions.first : functions.later)
                    .shares(mask.pointers(), csf, rounding, {0, columns},
                            {shares.rows[0].data(), shares.rows[1].data()}, &weighted_rows);
                for (std::size_t x = 0; x < columns; x++) {
                    std::int32_t seen[ADM_BAND_COUNT];
                    for (int band = 0; band < ADM_BAND_COUNT; band++) {
                        const std::int32_t value = mask.rows[band][x];
                        seen[band] = adm_gpu_seen(first, csf[band], value);
                        ASSERT_EQ(weighted.rows[band][x], adm_weighted(first, csf[band], value, band));
                    }
                    const AdmShares want = adm_shares(first, seen, rounding);
                    ASSERT_EQ(static_cast<std::uint32_t>(shares.rows[0][x]), want.neighbour) << mask.rows[0][x];
                    ASSERT_EQ(static_cast<std::uint32_t>(shares.rows[1][x]), want.own) << mask.rows[0][x];
                }
            });
    }
}

/// Thresholds that leave 32 bits when they are shifted, and squares that leave 31.
TEST(AdmFunctionsPath, VisibleCubesAreTheDefinitions) {
    std::mt19937 random(testing::test_seed());
    const int cube_shift[] = {6, 7, 11};
    for (const bool first : {true, false}) {
        Bands signal(columns);
        Row threshold(columns + adm_row_padding), zero(columns + 2 * adm_row_padding);
        for (Row &row : signal.rows)
            for (std::int32_t &value : row)
                value = signed_number(random, first ? largest_first : largest_later);
        for (std::int32_t &value : threshold)
            value = signed_number(random, first ? 700'000 : 1 << 30);
        const std::uint32_t *const csf = first ? csf_first : csf_later;
        at_every_level([&](const AdmFunctions &functions) {
            std::vector<std::int64_t> cubes[ADM_BAND_COUNT];
            AdmMaskedRecord record{zero.data() + adm_row_padding, {}};
            for (int band = 0; band < ADM_BAND_COUNT; band++) {
                cubes[band].resize(columns + adm_row_padding);
                record.cubes[band] = cubes[band].data();
            }
            Row found(columns + adm_row_padding);
            record.threshold = found.data();
            const std::int32_t *const none = zero.data() + 1;
            std::uint64_t sums[ADM_BAND_COUNT];
            (first ? functions.first : functions.later)
                .visible({none, none, none, threshold.data(), signal.pointers(), csf, cube_shift}, {0, columns}, sums,
                         &record);
            for (int band = 0; band < ADM_BAND_COUNT; band++) {
                std::uint64_t sum = 0;
                for (std::size_t x = 0; x < columns; x++) {
                    const std::uint64_t want = adm_visible_cube(
                        first, adm_gpu_seen(first, csf[band], signal.rows[band][x]),
                        static_cast<std::uint32_t>(threshold[x]), band, cube_shift[band], adm_half(cube_shift[band]));
                    ASSERT_EQ(static_cast<std::uint64_t>(cubes[band][x]), want)
                        << signal.rows[band][x] << " over " << threshold[x];
                    sum += want;
                }
                EXPECT_EQ(sums[band], sum);
            }
        });
    }
}

} // namespace
} // namespace isovmaf::adm_functions_test
