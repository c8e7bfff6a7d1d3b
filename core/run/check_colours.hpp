// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "input/convert/compare_colours.hpp"
#include "isovmaf/result.hpp"

namespace isovmaf {

/// What happens to videos whose colours or shapes differ.
enum class ColourPolicy : std::uint8_t {
    refuse, ///< what makes a score wrong is an error, what may mislead a warning
    warn,   ///< both are warnings
    accept, ///< both are notes in the report
};

/// Applies the policy to findings. Returns the sentences for the report. `strict` turns warnings into errors, but not
/// what the policy made a warning or accepts.
[[nodiscard]] Result<std::vector<std::string>> apply_policy(const std::vector<Finding> &findings, ColourPolicy policy,
                                                            bool strict, const LogSink &log);

} // namespace isovmaf
