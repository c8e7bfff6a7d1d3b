// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <random>

#include <gtest/gtest.h>

#include "hip/testing/amd/float_format.hpp"

/// The sequences of instructions that compilers emit for divisions and roots give the right number, whichever value
/// within their bounds the approximate instructions return.
namespace isovmaf::amd {
namespace {

/// Calls operations by name.
class Wave {
  public:
    explicit Wave(Approximation approximation) { modes.approximation = approximation; }

    template <class F>
    F call(const char *name, std::initializer_list<F> sources) const {
        return {static_cast<Bits<F>>(outcome(name, sources).result.bits)};
    }

    template <class F>
    Outcome outcome(const char *name, std::initializer_list<F> sources) const {
        return call_with(name, sources, {});
    }

    template <class F>
    Outcome call_with(const char *name, std::initializer_list<F> sources, std::vector<Value> more) const {
        std::vector<Value> values;
        for (const F source : sources)
            values.push_back({source.bits, 0});
        values.insert(values.end(), more.begin(), more.end());
        return find_operation(name)->function(modes, values);
    }

    Modes modes;
};

struct Names {
    const char *scale, *rcp, *fma, *mul, *fmas, *fixup;
};
template <class F>
Names names;
template <>
const Names names<F32>{"v_div_scale_f32", "v_rcp_f32", "v_fma_f32", "v_mul_f32", "v_div_fmas_f32", "v_div_fixup_f32"};
template <>
const Names names<F64>{"v_div_scale_f64", "v_rcp_f64", "v_fma_f64", "v_mul_f64", "v_div_fmas_f64", "v_div_fixup_f64"};

template <class F>
F divided(const Wave &wave, F numerator, F denominator) {
    const Names &name = names<F>;
    const F one = from_host(static_cast<decltype(host(F{}))>(1));
    const auto fma = [&](F a, F b, F c) { return wave.call<F>(name.fma, {a, b, c}); };
    const F d = wave.call<F>(name.scale, {denominator, denominator, numerator});
    const Outcome scaled = wave.outcome<F>(name.scale, {numerator, denominator, numerator});
    const F n{static_cast<Bits<F>>(scaled.result.bits)};
    F inverse = wave.call<F>(name.rcp, {d});
    for (int step = 0; step < (std::is_same_v<F, F64> ? 2 : 1); ++step)
        inverse = fma(inverse, fma(negated(d), inverse, one), inverse);
    F quotient = wave.call<F>(name.mul, {n, inverse});
    if (std::is_same_v<F, F32>)
        quotient = fma(fma(negated(d), quotient, n), inverse, quotient);
    const F rest = fma(negated(d), quotient, n);
    const Outcome last = wave.call_with<F>(name.fmas, {rest, inverse, quotient}, {scaled.flag});
    return wave.call<F>(name.fixup, {{static_cast<Bits<F>>(last.result.bits)}, denominator, numerator});
}

template <class F>
std::vector<F> hard_numbers() {
    std::vector<F> numbers{{0},
                           {1},
                           {quiet_bit<F>},
                           {static_cast<Bits<F>>(hidden_bit<F> - 1)},
                           {infinity<F>},
                           {static_cast<Bits<F>>(infinity<F> - 1)},
                           default_nan<F>};
    std::mt19937_64 random(4);
    const Bits<F> exponents = infinity<F> / hidden_bit<F>;
    for (Bits<F> field = 0; field < exponents; field += std::is_same_v<F, F64> && field % 64 > 3 ? 7 : 1) {
        for (const Bits<F> fraction :
             {Bits<F>{0}, Bits<F>{1}, static_cast<Bits<F>>(hidden_bit<F> - 1), static_cast<Bits<F>>(random())})
            numbers.push_back({static_cast<Bits<F>>(field * hidden_bit<F> + fraction % hidden_bit<F>)});
    }
    return numbers;
}

template <class T>
class AmdDivisions : public testing::Test {};
using Formats = testing::Types<F32, F64>;
TYPED_TEST_SUITE(AmdDivisions, Formats);

/// The last step of a division rounds correctly if the inverse is correctly rounded. Newton's steps give that inverse
/// from every approximate one, but for these denominators: they need an approximate inverse that is correctly rounded.
template <class F>
bool needs_exact_inverse(F denominator) {
    return (magnitude(denominator) | ~(hidden_bit<F> - 1)) == static_cast<Bits<F>>(~Bits<F>{0});
}

TYPED_TEST(AmdDivisions, QuotientsAreCorrectlyRounded) {
    using F = TypeParam;
    const std::vector<F> numbers = hard_numbers<F>();
    std::mt19937_64 random(5);
    for (const Approximation approximation : {Approximation::exact, Approximation::lowest, Approximation::highest}) {
        const Wave wave(approximation);
        for (const F numerator : numbers) {
            for (int i = 0; i < 20; ++i) {
                const F any = numbers[random() % numbers.size()];
                const F denominator = random() % 2 ? negated(any) : any;
                if (approximation != Approximation::exact && needs_exact_inverse(denominator))
                    continue;
                const auto expected = host(numerator) / host(denominator);
                const F quotient = divided(wave, numerator, denominator);
                if (std::isnan(expected)) {
                    ASSERT_TRUE(is_nan(quotient));
                } else {
                    ASSERT_EQ(quotient.bits, from_host(expected).bits)
                        << std::hex << numerator.bits << " / " << denominator.bits << ", approximation "
                        << static_cast<int>(approximation);
                }
            }
        }
    }
}

/// Unsigned division through v_rcp_iflag_f32: an inverse of 32 bits, one step of Newton's, and two corrections.
TEST(AmdIntegerDivisions, QuotientsAreRight) {
    std::mt19937 random(6);
    const auto number = [&] { return static_cast<U32>(random() >> (random() % 32)); };
    for (const Approximation approximation : {Approximation::exact, Approximation::lowest, Approximation::highest}) {
        const Wave wave(approximation);
        for (int i = 0; i < 40000; ++i) {
            const U32 numerator = number(), denominator = std::max(number(), 1u);
            const F32 x = wave.call<F32>("v_cvt_f32_u32", {{denominator}});
            const F32 inverse = wave.call<F32>("v_rcp_iflag_f32", {x});
            const F32 scaled = wave.call<F32>("v_mul_f32", {inverse, {0x4f7ffffe}});
            U32 z = wave.call<F32>("v_cvt_u32_f32", {scaled}).bits;
            const auto high = [&](U32 a, U32 b) { return wave.call<F32>("v_mul_hi_u32", {{a}, {b}}).bits; };
            z += high(z, (0 - denominator) * z);
            U32 quotient = high(numerator, z);
            U32 rest = numerator - quotient * denominator;
            for (int step = 0; step < 2; ++step) {
                if (rest >= denominator)
                    ++quotient, rest -= denominator;
            }
            ASSERT_EQ(quotient, numerator / denominator) << numerator << " / " << denominator;
        }
    }
}

/// The square root of f32: v_sqrt_f32 and its neighbours are tried, of which one is right. Small numbers are scaled
/// first.
F32 root_of(const Wave &wave, F32 given) {
    constexpr F32 two_to_32{0x4f800000}, two_to_minus_16{0x37800000}, two_to_minus_96{0x0f800000};
    const bool is_small = magnitude(given) < two_to_minus_96.bits;
    const F32 a = is_small ? wave.call<F32>("v_mul_f32", {given, two_to_32}) : given;
    const F32 near = wave.call<F32>("v_sqrt_f32", {a});
    const F32 below{near.bits - 1}, above{near.bits + 1};
    const auto rest = [&](F32 b) { return host(wave.call<F32>("v_fma_f32", {negated(b), near, a})); };
    const F32 root = rest(below) <= 0 ? below : rest(above) > 0 ? above : near;
    return is_small ? wave.call<F32>("v_mul_f32", {root, two_to_minus_16}) : root;
}

TEST(AmdRoots, OneOfThreeNeighboursIsCorrectlyRounded) {
    for (const Approximation approximation : {Approximation::exact, Approximation::lowest, Approximation::highest}) {
        const Wave wave(approximation);
        for (const F32 a : hard_numbers<F32>()) {
            if (is_finite(a) && !is_zero(a)) {
                ASSERT_EQ(root_of(wave, a).bits, from_host(std::sqrt(host(a))).bits) << std::hex << a.bits;
            }
        }
    }
}

} // namespace
} // namespace isovmaf::amd
