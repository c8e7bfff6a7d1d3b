// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "features/feature.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// Fails unless the format is valid and the numbers of threads, frames and queues are in range.
[[nodiscard]] Result<void> check_execution_options(const SessionOptions &options);

/// Fails when nothing is asked for, or when `subsample` is no distance between frames.
[[nodiscard]] Result<void> check_scoring_options(const SessionOptions &options);

/// The context for which features are planned. Fails when the CPU level cannot be used; the error names the levels that
/// can.
[[nodiscard]] Result<PlanContext> plan_context(const SessionOptions &options);

} // namespace isovmaf
