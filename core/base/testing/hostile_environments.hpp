// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cfenv>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/float_environment.hpp"

namespace isovmaf::testing {

/// A way of computing that a program may have set for itself.
struct HostileEnvironment {
    std::string name;
    std::function<void()> set;
};

/// Subnormal arguments and results become zero, as libraries set it that were linked with -ffast-math.
inline void flush_subnormals() {
#if defined(__x86_64__)
    std::uint32_t mxcsr = 0;
    asm volatile("stmxcsr %0" : "=m"(mxcsr));
    mxcsr |= 0x8040u;
    asm volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
#elif defined(__aarch64__)
    std::uint64_t control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    asm volatile("msr fpcr, %0" : : "r"(control | (std::uint64_t{1} << 24)) : "memory");
#endif
}

#if defined(__x86_64__)
/// The x87 unit alone rounds upward and to 24 bits, as old libraries of graphics set it.
inline void shorten_x87() {
    const std::uint16_t control = 0x087f;
    asm volatile("fldcw %0" : : "m"(control) : "memory");
}
#endif

inline std::vector<HostileEnvironment> hostile_environments() {
    return {
        {"upward", [] { std::fesetround(FE_UPWARD); }}, {"downward", [] { std::fesetround(FE_DOWNWARD); }},
            {"toward zero", [] { std::fesetround(FE_TOWARDZERO); }}, {"without subnormals", flush_subnormals},
            {"upward, without subnormals",
             [] {
                 std::fesetround(FE_UPWARD);
                 flush_subnormals();
             }},
#if defined(__x86_64__)
            {"x87 upward with 24 bits", shorten_x87},
#endif
#if defined(__GLIBC__) && defined(__x86_64__) // Arm's processors need not have traps
            {"with traps", [] { feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT); }},
#endif
    };
}

/// Runs `use` in a hostile environment, and expects that it leaves the environment as it was.
template <class Use>
auto use_in(const HostileEnvironment &environment, const Use &use) {
    const FloatRegisters own = FloatRegisters::read();
    environment.set();
    const FloatRegisters before = FloatRegisters::read();
    auto result = use();
    const FloatRegisters after = FloatRegisters::read();
    own.write();
    EXPECT_EQ(before, after) << environment.name;
    EXPECT_NE(before, own) << environment.name << " sets nothing";
    return result;
}

} // namespace isovmaf::testing
