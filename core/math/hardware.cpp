// SPDX-License-Identifier: BSD-2-Clause-Patent
// Compiled with -mfma for x86-64. No function with external linkage may be defined here but
// functions_with_instruction().
#include "math/functions.hpp"

#if defined(__FMA__) || defined(__aarch64__) || defined(__FP_FAST_FMA)

namespace isovmaf::math {

namespace {

struct HardwareFused {
    static double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
};

constexpr Functions with_hardware = functions_with<HardwareFused>();

} // namespace

const Functions *functions_with_instruction() { return &with_hardware; }

} // namespace isovmaf::math

#else

namespace isovmaf::math {

const Functions *functions_with_instruction() { return nullptr; }

} // namespace isovmaf::math

#endif
