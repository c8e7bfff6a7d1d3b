// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// What the text of ExecutionOptions::backend asks for: a device, the CPU, or both.
struct BackendWish {
    std::string device; ///< a plugin's name or "auto"; empty: no device
    std::string cpu;    ///< "cpu" or "cpu-ref"; empty: every feature has to run on the device
};

/// Reads "auto", "cpu", "cpu-ref", a plugin's name, or a plugin's name and one of the CPU's with a comma between them.
/// "auto" is a device, and the CPU for the features that it cannot run.
[[nodiscard]] Result<BackendWish> parse_backend(std::string_view text);

} // namespace isovmaf
