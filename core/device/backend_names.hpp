// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string_view>

/// Names of backends that are no plugins. A plugin cannot take them.
namespace isovmaf {

inline constexpr std::string_view auto_backend = "auto";          ///< a GPU if there is one, else the CPU
inline constexpr std::string_view cpu_backend = "cpu";            ///< every feature's CPU path, its definition if none
inline constexpr std::string_view definition_backend = "cpu-ref"; ///< every feature's definition

/// Whether the backend of that name computes on the CPU without a plugin.
[[nodiscard]] constexpr bool runs_without_plugin(std::string_view backend) {
    return backend == cpu_backend || backend == definition_backend;
}

} // namespace isovmaf
