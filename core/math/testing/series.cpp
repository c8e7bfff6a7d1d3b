// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "math/testing/series.hpp"

#include <array>
#include <bit>
#include <limits>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "math/sin_cos.hpp"
#include "math/software_fma.hpp"

namespace isovmaf::math {

namespace {

using Limits = std::numeric_limits<double>;
using FloatLimits = std::numeric_limits<float>;

std::uint64_t bits_of(double value) { return value == value ? std::bit_cast<std::uint64_t>(value) : ~std::uint64_t{0}; }
std::uint64_t bits_of(float value) { return value == value ? std::bit_cast<std::uint32_t>(value) : ~std::uint64_t{0}; }

/// SplitMix64 (Steele, Lea, Flood 2014), by index.
std::uint64_t random_bits(std::uint64_t index) {
    std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/// Two random words for each argument.
std::uint64_t first(std::uint64_t index) { return random_bits(2 * index); }
std::uint64_t second(std::uint64_t index) { return random_bits(2 * index + 1); }

double fraction(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

/// Positive, with any fraction and an exponent from `low` to `high`, both included.
double with_exponent(std::uint64_t random, int low, int high) {
    const std::uint64_t exponents = static_cast<std::uint64_t>(high - low + 1);
    const std::uint64_t field = static_cast<std::uint64_t>(low + 1023) + ((random >> 52) * exponents >> 12);
    return std::bit_cast<double>((field << 52) | (random & ((std::uint64_t{1} << 52) - 1)));
}

double either_sign(double magnitude, std::uint64_t random) { return (random & 1) != 0 ? -magnitude : magnitude; }
double near_1(std::uint64_t random) { return 1 + (fraction(random) - 0.5) / 8; }

constexpr std::array special_values = {
    0.0,
    -0.0,
    Limits::infinity(),
    -Limits::infinity(),
    Limits::quiet_NaN(),
    Limits::denorm_min(),
    -Limits::denorm_min(),
    Limits::min(),
    -Limits::min(),
    0x1.fffffffffffffp-1023, // the greatest subnormal
    Limits::max(),
    -Limits::max(),
    1.0,
    -1.0,
    0x1.fffffffffffffp-1,
    0x1.0000000000001p+0,
    0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    10.0,
    1.0 / 3,
    0x1p52,
    0x1p53,
    -0x1.fffffffffffffp+52, // odd
    0x1p54,
    0x1p-54,
    -0x1p-54,
    0x1.fffffffffffffp-55,
    0x1p-65,
    0x1p63,
    512.0,
    -512.0,
    1024.0,
    0x1.62e42fefa39efp+9, // exp of it is the greatest finite one
    0x1.62e42fefa39fp+9,
    -0x1.6232bdd7abcd2p+9, // exp of it is normal, and of the next subnormal
    -0x1.6232bdd7abcd3p+9,
    -0x1.74910d52d3051p+9, // exp of it is the smallest one, and of the next 0
    -0x1.74910d52d3052p+9,
    0x1.34413509f79fep+8, // the same borders of 10^x
    0x1.34413509f79ffp+8,
    -0x1.33a7146f72a42p+8,
    -0x1.439b746e36b52p+8,
    -0x1.439b746e36b53p+8,
    1 - 0x1p-4, // borders of "near 1"
    1 + 0x1.09p-4,
    1 - 0x1.5b51p-5,
    1 + 0x1.6ab2p-5,
};

/// Special values first, then all bit patterns.
double any(std::uint64_t index) {
    return index < special_values.size() ? special_values[index] : std::bit_cast<double>(first(index));
}

struct Pair {
    double x, y;
};

/// All pairs of special values; then any two numbers, and bases with exponents that give finite powers.
Pair any_pair(std::uint64_t index) {
    constexpr std::uint64_t count = special_values.size();
    if (index < count * count)
        return {special_values[index / count], special_values[index % count]};
    const std::uint64_t x = first(index), y = second(index);
    if (index % 2 == 0)
        return {std::bit_cast<double>(x), std::bit_cast<double>(y)};
    return {std::bit_cast<double>(x >> 1), either_sign(with_exponent(y, -12, 3), y >> 40)};
}

/// The same of f32. What a conversion makes infinite or zero is special, too.
Pair any_f32_pair(std::uint64_t index) {
    const Pair pair = any_pair(index);
    if (index < special_values.size() * special_values.size())
        return pair;
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(first(index)));
    const auto y = std::bit_cast<float>(static_cast<std::uint32_t>(second(index)));
    return {double{x < 0 && index % 2 != 0 ? -x : x}, index % 2 != 0 ? pair.y : double{y}};
}

/// All f32 with an exponent from -27 to 4, of either sign: 2^29 of them.
double f32_angle(std::uint64_t index) {
    constexpr std::uint32_t least = (127 - 27) << 23;
    const auto magnitude = static_cast<std::uint32_t>(index & 0xfffffff);
    return either_sign(double{std::bit_cast<float>(least + magnitude)}, index >> 28);
}
constexpr int all_angles = 1 << (29 - 24);

/// Special values, then f64 angles for which sin and cos are defined.
double any_angle(std::uint64_t index) {
    const double x = index < special_values.size() ? special_values[index]
                                                   : either_sign(with_exponent(first(index), -30, 26), second(index));
    return x < angle_limit && x > -angle_limit ? x : Limits::quiet_NaN();
}

/// Angles at which the sine changes when one coefficient of its polynomial is off by so many last places, up and down:
/// those of t³, t^5 and t^7 by 1, that of t^9 by 2^8, that of t^11 by 2^21. Their sums lie so near the middle between
/// two numbers that the change decides a rounding. docs/adr/0080 says how they were found.
constexpr std::array near_middles = {
    0x1.d70a3e161e4f5p-4, 0x1.d70a5272b01b3p-4, // t³
    0x1.d715d18743c4fp-4, 0x1.d71942a1e9749p-4, // t^5
    0x1.d99583f877689p-4, 0x1.e739270c575bfp-4, // t^7
    0x1.f89faee9886e2p-4, 0x1.e3d9944e01ac9p-4, // t^9
};

/// These angles first, then others where the polynomial weighs most.
double long_angle(std::uint64_t index) {
    return index < near_middles.size() ? near_middles[index] : sine_limit * (1 - fraction(first(index)) / 8);
}

struct FusedInIntegers {
    static double fma(double a, double b, double c) { return software_fma(a, b, c); }
};

/// The polynomials of sines, at squares far outside their range too: there each coefficient decides last places. Within
/// the range the highest coefficients hardly ever do.
double sine_polynomial(std::uint64_t index) {
    const double square = with_exponent(first(index), -40, 40);
    switch (index % 3) {
    case 0:
        return long_sine<FusedInIntegers>(square);
    case 1:
        return short_sine<FusedInIntegers>(square);
    default:
        return short_versine<FusedInIntegers>(square);
    }
}

/// All pairs of special values, then f32 with exponents that coordinates of colours have.
Pair f32_pair(std::uint64_t index) {
    if (index < special_values.size() * special_values.size())
        return any_pair(index);
    const auto coordinate = [](std::uint64_t random) {
        return double{static_cast<float>(either_sign(with_exponent(random, -20, 8), random >> 8))};
    };
    return {coordinate(first(index)), coordinate(second(index))};
}

/// Exponents of colour spaces, of PQ's inverse, and of MS-SSIM.
constexpr std::array exponents = {
    2.4,
    1.0 / 2.4,
    1.0 / 3,
    7.0,
    1.0 / 78.84375,
    1.0 / 0.1593017578125,
    double{0.0448F},
    double{0.2856F},
    double{0.3001F},
    double{0.2363F},
    double{0.1333F},
};

constexpr int block_count(double arguments) {
    return static_cast<int>((arguments + static_cast<double>(block_size) - 1) / static_cast<double>(block_size));
}
constexpr int many = block_count(1e9), some = block_count(1e8);
constexpr int all_f32 = 1 << (32 - 24);

constexpr Series all[] = {
    {"exp", many,
     [](const Functions &f, std::uint64_t i) {
         return bits_of(
             f.exp(i % 2 == 0 ? -32 * fraction(first(i)) : either_sign(with_exponent(first(i), -60, 9), second(i))));
     }},
    {"log", many,
     [](const Functions &f, std::uint64_t i) {
         return bits_of(f.log(i % 2 == 0 ? near_1(first(i)) : with_exponent(first(i), -100, 100)));
     }},
    {"log2", many,
     [](const Functions &f, std::uint64_t i) {
         return bits_of(f.log2(i % 2 == 0 ? near_1(first(i)) : with_exponent(first(i), -60, 60)));
     }},
    {"log10", many,
     [](const Functions &f, std::uint64_t i) {
         return bits_of(f.log10(i % 4 == 0 ? near_1(first(i)) : with_exponent(first(i), -60, 60)));
     }},
    {"pow-cube", many,
     [](const Functions &f, std::uint64_t i) { return bits_of(f.pow(with_exponent(first(i), -40, 40), 3.0)); }},
    {"pow-ten", many,
     [](const Functions &f, std::uint64_t i) {
         return bits_of(f.pow(10.0, i % 2 == 0 ? 40 * (fraction(first(i)) - 0.5)
                                               : either_sign(with_exponent(first(i), -60, 8), second(i))));
     }},
    {"powf-third", all_f32,
     [](const Functions &f, std::uint64_t i) {
         return bits_of(f.powf(std::bit_cast<float>(static_cast<std::uint32_t>(i)), 1.0F / 3.0F));
     }},
    {"sin", all_angles, [](const Functions &f, std::uint64_t i) { return bits_of(f.sin(f32_angle(i))); }},
    {"cos", all_angles, [](const Functions &f, std::uint64_t i) { return bits_of(f.cos(f32_angle(i))); }},
    {"sin-long", 1, [](const Functions &f, std::uint64_t i) { return bits_of(f.sin(long_angle(i))); }},
    {"sine-polynomials", 1, [](const Functions &, std::uint64_t i) { return bits_of(sine_polynomial(i)); }, false},
    {"atan2", some,
     [](const Functions &f, std::uint64_t i) {
         const Pair pair = f32_pair(i);
         return bits_of(f.atan2(pair.x, pair.y));
     }},
    {"pow-fixed", block_count(5e8),
     [](const Functions &f, std::uint64_t i) {
         const double base = (i & 1) != 0 ? fraction(first(i)) : with_exponent(first(i), -40, 40);
         return bits_of(f.pow(base, exponents[second(i) % exponents.size()]));
     }},
    {"powf-fixed", block_count(2e8),
     [](const Functions &f, std::uint64_t i) {
         return bits_of(f.powf(static_cast<float>(either_sign(with_exponent(first(i), -30, 18), second(i))),
                               i % 2 != 0 ? 2.0F : 7.0F));
     }},
    {"exp-f32", 1 << (28 - 24),
     [](const Functions &f, std::uint64_t i) {
         constexpr std::uint32_t least = (127 - 25) << 23;
         return bits_of(f.exp(-double{std::bit_cast<float>(least + static_cast<std::uint32_t>(i))}));
     }},
    {"log2-f32", all_f32 / 2,
     [](const Functions &f, std::uint64_t i) {
         return bits_of(f.log2(double{std::bit_cast<float>(static_cast<std::uint32_t>(i))}));
     }},
    {"exp-any", some, [](const Functions &f, std::uint64_t i) { return bits_of(f.exp(any(i))); }},
    {"log-any", some, [](const Functions &f, std::uint64_t i) { return bits_of(f.log(any(i))); }},
    {"log2-any", some, [](const Functions &f, std::uint64_t i) { return bits_of(f.log2(any(i))); }},
    {"log10-any", some, [](const Functions &f, std::uint64_t i) { return bits_of(f.log10(any(i))); }},
    {"pow-cube-any", some, [](const Functions &f, std::uint64_t i) { return bits_of(f.pow(any(i), 3.0)); }},
    {"pow-ten-any", some, [](const Functions &f, std::uint64_t i) { return bits_of(f.pow(10.0, any(i))); }},
    {"sin-any", some, [](const Functions &f, std::uint64_t i) { return bits_of(f.sin(any_angle(i))); }},
    {"cos-any", some, [](const Functions &f, std::uint64_t i) { return bits_of(f.cos(any_angle(i))); }},
    {"atan2-any", some,
     [](const Functions &f, std::uint64_t i) {
         const Pair pair = any_pair(i);
         return bits_of(f.atan2(pair.x, pair.y));
     }},
    {"pow-any", some,
     [](const Functions &f, std::uint64_t i) {
         const Pair pair = any_pair(i);
         return bits_of(f.pow(pair.x, pair.y));
     }},
    {"powf-any", some,
     [](const Functions &f, std::uint64_t i) {
         const Pair pair = any_f32_pair(i);
         return bits_of(f.powf(static_cast<float>(pair.x), static_cast<float>(pair.y)));
     }},
};

/// A digest of results.
class Digest {
  public:
    Digest() { XXH3_64bits_reset(&state_); }

    void add(const Series &series, const Functions &functions, std::uint64_t first, std::uint64_t stride,
             std::uint64_t count) {
        std::vector<std::uint64_t> results(1 << 12);
        for (std::uint64_t i = 0; i < count; i += results.size()) {
            for (std::uint64_t j = 0; j < results.size(); j++)
                results[j] = series.result(functions, first + (i + j) * stride);
            XXH3_64bits_update(&state_, results.data(), results.size() * sizeof(results[0]));
        }
    }

    std::uint64_t value() const { return XXH3_64bits_digest(&state_); }

  private:
    XXH3_state_t state_;
};

} // namespace

std::span<const Series> all_series() { return all; }

std::uint64_t block_digest(const Series &series, const Functions &functions, int block) {
    Digest digest;
    digest.add(series, functions, static_cast<std::uint64_t>(block) * block_size, 1, block_size);
    return digest.value();
}

std::uint64_t sample_digest(const Series &series, const Functions &functions) {
    constexpr std::uint64_t count = std::uint64_t{1} << 15;
    Digest digest;
    digest.add(series, functions, 0, 1, count);
    digest.add(series, functions, 0, static_cast<std::uint64_t>(series.blocks) * (block_size / count), count);
    return digest.value();
}

} // namespace isovmaf::math
