// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/float_environment.hpp"

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/testing/hostile_environments.hpp"

namespace isovmaf::float_environment_test {
namespace {

using isovmaf::testing::hostile_environments;
using isovmaf::testing::HostileEnvironment;
using isovmaf::testing::use_in;

/// What arithmetic, parsing and printing give where rounding and subnormal numbers decide.
std::string computed() {
    volatile double one = 1, three = 3, tiny = std::numeric_limits<double>::min();
    volatile float single_tiny = std::numeric_limits<float>::min();
    const double third = one / three, minus_third = -one / three, subnormal = tiny / 4;
    const float single_subnormal = single_tiny / 4;
    const double parsed = std::strtod("0.1", nullptr) + std::strtod("-0.3", nullptr);
    char text[200];
    std::snprintf(text, sizeof text, "%a %a %a %a %a %.3f %.3f", third, minus_third, subnormal, single_subnormal * 2.0,
                  parsed, third, minus_third);
    return text;
}

TEST(FloatEnvironment, IsTheDefaultInsideAndTheCallersOutside) {
    const std::string expected = computed();
    for (const HostileEnvironment &environment : hostile_environments())
        EXPECT_EQ(use_in(environment,
                         [] {
                             const FloatEnvironment floats;
                             EXPECT_TRUE(FloatRegisters::read().are_default());
                             return computed();
                         }),
                  expected)
            << environment.name;
}

TEST(FloatEnvironment, IsInheritedByThreads) {
    const std::string expected = computed();
    for (const HostileEnvironment &environment : hostile_environments())
        EXPECT_EQ(use_in(environment,
                         [] {
                             const FloatEnvironment floats;
                             std::string found;
                             std::thread([&] { found = computed(); }).join();
                             return found;
                         }),
                  expected)
            << environment.name;
}

TEST(FloatEnvironment, KeepsTheExceptionsOfTheCaller) {
    for (const int raised : {0, FE_DIVBYZERO, FE_ALL_EXCEPT}) {
        std::feclearexcept(FE_ALL_EXCEPT);
        std::feraiseexcept(raised);
        {
            const FloatEnvironment floats;
            EXPECT_NE(computed(), "");
            volatile double large = std::numeric_limits<double>::max();
            large = large * large;
            EXPECT_TRUE(std::fetestexcept(FE_OVERFLOW));
        }
        EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), raised);
    }
    std::feclearexcept(FE_ALL_EXCEPT);
}

TEST(FloatEnvironment, UndoesWhatWasSetWhileItExisted) {
    const FloatRegisters own = FloatRegisters::read();
    for (const HostileEnvironment &environment : hostile_environments()) {
        {
            const FloatEnvironment floats;
            environment.set(); // as the constructor of a library does that is loaded
        }
        EXPECT_EQ(FloatRegisters::read(), own) << environment.name;
    }
}

TEST(FloatEnvironment, MayBeNested) {
    for (const HostileEnvironment &environment : hostile_environments())
        use_in(environment, [] {
            const FloatEnvironment outer;
            { const FloatEnvironment inner; }
            EXPECT_TRUE(FloatRegisters::read().are_default());
            return true;
        });
}

} // namespace
} // namespace isovmaf::float_environment_test
