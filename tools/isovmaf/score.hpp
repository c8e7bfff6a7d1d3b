// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "tools/isovmaf/score_arguments.hpp"

namespace isovmaf::tool {

/// Runs `isovmaf score`; returns an ExitCode. Failures are told on standard error.
[[nodiscard]] int run_score(const ScoreArguments &arguments);

} // namespace isovmaf::tool
