// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isovmaf/result.hpp"
#include "simd/level_list.hpp"

/// Levels: the instruction sets of CPU paths.
namespace isovmaf {

/// Within one architecture a later level has all instructions of the earlier ones. `scalar` has no vector code.
enum class CpuLevel : std::uint8_t { scalar, sse4, avx2, avx512, neon, sve };

/// "scalar", "sse4", "avx2", "avx512", "neon", "sve"
[[nodiscard]] std::string_view cpu_level_name(CpuLevel level);

/// The levels that this build has code for and this processor can run, from oldest to newest: `scalar` first.
[[nodiscard]] std::span<const CpuLevel> usable_cpu_levels();

/// The last of usable_cpu_levels().
[[nodiscard]] CpuLevel newest_cpu_level();

/// Reads the name of a usable level, or "auto" for the newest one. Fails, naming the usable levels, on other names.
[[nodiscard]] Result<CpuLevel> parse_cpu_level(std::string_view text);

/// The functions of one level, which one vector file defines.
template <class Functions>
struct LevelEntry {
    CpuLevel level;
    const Functions *functions;
};

#define ISOVMAF_DECLARE_LEVEL(level, Functions, name) extern const Functions name##_##level;
#define ISOVMAF_LIST_LEVEL(level, Functions, name) {CpuLevel::level, &name##_##level},

/// Defines the array NAME_levels of LevelEntry<Functions>: the tables NAME_LEVEL that vector files define, behind an
/// entry for `scalar` without functions. For namespace isovmaf.
#define ISOVMAF_LEVEL_TABLE(Functions, name)                                                                           \
    ISOVMAF_CPU_LEVELS(ISOVMAF_DECLARE_LEVEL, Functions, name)                                                         \
    static constexpr LevelEntry<Functions> name##_levels[] = {{CpuLevel::scalar, nullptr},                             \
                                                              ISOVMAF_CPU_LEVELS(ISOVMAF_LIST_LEVEL, Functions, name)}

/// The newest entry of a table that has functions and is no newer than `cap`; null if there is none.
template <class Functions>
const LevelEntry<Functions> *newest_entry(std::span<const LevelEntry<Functions>> table, CpuLevel cap) {
    const LevelEntry<Functions> *newest = nullptr;
    for (const LevelEntry<Functions> &entry : table)
        if (entry.functions && entry.level <= cap)
            newest = &entry;
    return newest;
}

/// The functions of one level of a table; null if there are none.
template <class Functions>
const Functions *functions_of(std::span<const LevelEntry<Functions>> table, CpuLevel level) {
    const LevelEntry<Functions> *const newest = newest_entry<Functions>(table, level);
    return newest && newest->level == level ? newest->functions : nullptr;
}

} // namespace isovmaf
