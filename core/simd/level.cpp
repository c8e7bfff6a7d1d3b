// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "simd/level.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace isovmaf {

namespace {

constexpr std::array<std::string_view, 6> names{"scalar", "sse4", "avx2", "avx512", "neon", "sve"};

/// Whether processor and operating system run the instructions of a level.
bool is_supported(CpuLevel level) {
    switch (level) {
    case CpuLevel::scalar:
        return true;
#if defined(__x86_64__)
    case CpuLevel::sse4:
        return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
    case CpuLevel::avx2:
        return is_supported(CpuLevel::sse4) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    case CpuLevel::avx512:
        return is_supported(CpuLevel::avx2) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni");
#elif defined(__aarch64__)
    case CpuLevel::neon:
        return true;
    case CpuLevel::sve: { // compiled for vectors of 256 bits
        const int length = (getauxval(AT_HWCAP) & HWCAP_SVE) ? prctl(PR_SVE_GET_VL) : 0;
        return length > 0 && (length & PR_SVE_VL_LEN_MASK) == 32;
    }
#endif
    default:
        return false;
    }
}

std::vector<CpuLevel> find_usable_levels() {
    std::vector<CpuLevel> levels{CpuLevel::scalar};
#define ISOVMAF_LEVEL(level) CpuLevel::level,
    for (const CpuLevel level : std::initializer_list<CpuLevel>{ISOVMAF_CPU_LEVELS(ISOVMAF_LEVEL)})
        if (is_supported(level))
            levels.push_back(level);
#undef ISOVMAF_LEVEL
    return levels;
}

} // namespace

std::string_view cpu_level_name(CpuLevel level) { return names.at(static_cast<std::size_t>(level)); }

std::span<const CpuLevel> usable_cpu_levels() {
    static const std::vector<CpuLevel> levels = find_usable_levels();
    return levels;
}

CpuLevel newest_cpu_level() { return usable_cpu_levels().back(); }

Result<CpuLevel> parse_cpu_level(std::string_view text) {
    if (text == "auto")
        return newest_cpu_level();
    std::vector<std::string_view> usable;
    for (const CpuLevel level : usable_cpu_levels()) {
        if (cpu_level_name(level) == text)
            return level;
        usable.push_back(cpu_level_name(level));
    }
    const bool known = std::ranges::find(names, text) != names.end();
    return fail(
        known ? ErrorCode::unsupported : ErrorCode::invalid_argument,
        fmt::format("{} \"{}\": give auto or one of {}",
                    known ? "this processor, or this build, has no code for the CPU level" : "there is no CPU level",
                    text, fmt::join(usable, ", ")));
}

} // namespace isovmaf
