// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "tools/isovmaf/diff/diff_arguments.hpp"

namespace isovmaf::tool {

/// Runs `isovmaf diff`; returns a diff::Verdict, or exit_interrupted. Failures are printed on standard error.
[[nodiscard]] int run_diff(const DiffArguments &arguments);

} // namespace isovmaf::tool
