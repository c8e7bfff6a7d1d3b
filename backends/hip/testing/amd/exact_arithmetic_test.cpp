// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cfenv>
#include <random>

#include <gtest/gtest.h>

#include "hip/testing/amd/float_arithmetic.hpp"

/// The exact arithmetic, against the host's in each of its rounding modes.
namespace isovmaf::amd {
namespace {

struct Mode {
    Rounding rounding;
    int host;
};
constexpr Mode rounding_modes[] = {{Rounding::nearest_even, FE_TONEAREST},
                                   {Rounding::up, FE_UPWARD},
                                   {Rounding::down, FE_DOWNWARD},
                                   {Rounding::zero, FE_TOWARDZERO}};

/// The host rounds in a mode while this lives.
class HostRounding {
  public:
    explicit HostRounding(int mode) { std::fesetround(mode); }
    ~HostRounding() { std::fesetround(FE_TONEAREST); }
    HostRounding(const HostRounding &) = delete;
    HostRounding &operator=(const HostRounding &) = delete;
};

/// Finite numbers of all sizes: exponents near those of each other, fractions with long runs.
template <class F>
class Numbers {
  public:
    F next() {
        const int fraction_bits = Format<F>::fraction_bits;
        const U64 fraction = random_() % 3 == 0 ? random_() : U64{1} << (random_() % 64) >> (random_() % 64);
        const U64 exponents = (U64{1} << Format<F>::exponent_bits) - 1;
        center_ = random_() % 4 == 0 ? random_() : center_ + random_() % 5 - 2;
        U64 exponent = center_ % exponents;
        if (random_() % 16 == 0)
            exponent = random_() % 2 ? 0 : exponents - 1;
        const U64 bits = exponent << fraction_bits | fraction % (U64{1} << fraction_bits);
        return with_sign<F>(static_cast<Bits<F>>(bits), random_() % 2);
    }

  private:
    std::mt19937_64 random_{3};
    U64 center_ = 0;
};

template <class T>
class AmdExactArithmetic : public testing::Test {};
using HostFormats = testing::Types<F32, F64>;
TYPED_TEST_SUITE(AmdExactArithmetic, HostFormats);

TYPED_TEST(AmdExactArithmetic, RoundsAsTheHost) {
    using F = TypeParam;
    using Host = decltype(host(F{}));
    Numbers<F> numbers;
    for (const Mode mode : rounding_modes) {
        for (int i = 0; i < 30000; ++i) {
            const F a = numbers.next(), b = numbers.next(), c = numbers.next();
            const volatile Host x = host(a), y = host(b), z = host(c);
            volatile Host sum_of_two, product_of_two, fused_of_three;
            {
                const HostRounding rounding_of_host(mode.host);
                sum_of_two = x + y;
                product_of_two = x * y;
                fused_of_three = std::fma(x, y, z);
            }
            const F one = from_host(Host{1});
            ASSERT_EQ(rounded<F>(exact_fused(a, one, b, mode.rounding), mode.rounding).bits,
                      from_host(Host{sum_of_two}).bits)
                << std::hex << a.bits << " + " << b.bits;
            const ExactNumber exact = exact_product(exact_number(to_double(a)), exact_number(to_double(b)));
            ASSERT_EQ(rounded<F>(exact, mode.rounding).bits, from_host(Host{product_of_two}).bits)
                << std::hex << a.bits << " * " << b.bits;
            ASSERT_EQ(rounded<F>(exact_fused(a, b, c, mode.rounding), mode.rounding).bits,
                      from_host(Host{fused_of_three}).bits)
                << std::hex << a.bits << " * " << b.bits << " + " << c.bits;
        }
    }
}

TEST(AmdExactArithmeticOfFormats, NarrowsAsTheHost) {
    Numbers<F32> numbers;
    for (const Mode mode : rounding_modes) {
        for (int i = 0; i < 30000; ++i) {
            // Between two numbers of f32, or at one.
            const double wide = to_double(numbers.next());
            const volatile double a = wide + wide * std::ldexp(1.0, -24 - i % 3) * (i % 5 - 2);
            volatile float narrow;
            {
                const HostRounding rounding_of_host(mode.host);
                narrow = static_cast<float>(a);
            }
            ASSERT_EQ(rounded<F32>(exact_number(a), mode.rounding).bits, from_host(float{narrow}).bits) << a;
        }
    }
}

/// Every number of f16 lies between its neighbours, and all numbers between become the right one of them.
TEST(AmdExactArithmeticOfFormats, NarrowsToF16) {
    for (U16 bits = 0; bits < infinity<F16>; ++bits) {
        const F16 low{bits}, high{static_cast<U16>(bits + 1)};
        const double from = to_double(low);
        const double to = is_infinite(high) ? 65536 : to_double(high);
        const double middle = (from + to) / 2;
        const F16 even = bits % 2 ? high : low;
        const auto narrow = [](double a, Rounding mode) { return rounded<F16>(exact_number(a), mode).bits; };
        ASSERT_EQ(narrow(from, Rounding::nearest_even), low.bits);
        ASSERT_EQ(narrow(middle, Rounding::nearest_even), even.bits);
        ASSERT_EQ(narrow(std::nextafter(middle, 0), Rounding::nearest_even), low.bits);
        ASSERT_EQ(narrow(std::nextafter(middle, to), Rounding::nearest_even), high.bits);
        ASSERT_EQ(narrow(std::nextafter(to, 0), Rounding::zero), low.bits);
        ASSERT_EQ(narrow(std::nextafter(to, 0), Rounding::down), low.bits);
        ASSERT_EQ(narrow(std::nextafter(from, to), Rounding::up), high.bits);
        ASSERT_EQ(narrow(-std::nextafter(from, to), Rounding::down), negated(high).bits);
    }
}

/// Sums and products of f16 are exact in f64, so that one rounding remains.
TEST(AmdExactArithmeticOfFormats, ComputesF16) {
    Numbers<F16> numbers;
    for (int i = 0; i < 100000; ++i) {
        const F16 a = numbers.next(), b = numbers.next(), c = numbers.next();
        const double product_of_two = to_double(a) * to_double(b), sum_of_two = to_double(a) + to_double(b);
        ASSERT_EQ(product({}, a, b).bits, std::abs(product_of_two) > 0
                                              ? rounded<F16>(exact_number(product_of_two), Rounding::nearest_even).bits
                                              : with_sign<F16>(0, std::signbit(product_of_two)).bits);
        ASSERT_EQ(sum({}, a, b).bits, rounded<F16>(exact_number(sum_of_two), Rounding::nearest_even).bits);
        const double three = product_of_two + to_double(c);
        if (std::fma(to_double(a), to_double(b), to_double(c)) == three && three - to_double(c) == product_of_two) {
            ASSERT_EQ(fused({}, a, b, c).bits, rounded<F16>(exact_number(three), Rounding::nearest_even).bits);
        }
    }
}

} // namespace
} // namespace isovmaf::amd
