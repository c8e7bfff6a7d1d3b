// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "math/math.hpp"

#include <cstdlib>
#include <string_view>

#include "math/functions.hpp"
#include "math/software_fma.hpp"

namespace isovmaf::math {

namespace {

struct SoftwareFused {
    static double fma(double a, double b, double c) { return software_fma(a, b, c); }
};

constexpr Functions with_software = functions_with<SoftwareFused>();

const Functions &chosen() {
    const char *const wanted = std::getenv("ISOVMAF_FMA");
    const Functions *const hardware = hardware_functions();
    return hardware && !(wanted && wanted == std::string_view("software")) ? *hardware : with_software;
}

} // namespace

const Functions *hardware_functions() {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_cpu_supports("fma") ? functions_with_instruction() : nullptr;
#else
    return functions_with_instruction();
#endif
}

const Functions &software_functions() { return with_software; }

const Functions &functions() {
    static const Functions &functions = chosen();
    return functions;
}

} // namespace isovmaf::math
