// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "tools/isovmaf/score/score_arguments.hpp"

namespace isovmaf::tool {

/// Runs `isovmaf score`; returns an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_score(const ScoreArguments &arguments);

} // namespace isovmaf::tool
