// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "batch/work/worker_places.hpp"
#include "isovmaf/result.hpp"
#include "tools/isovmaf/batch/batch.hpp"
#include "tools/isovmaf/exit_code.hpp"

namespace isovmaf::tool {

/// Validates the manifest and prints the plan: pairs, bytes to read, units, and how long they will take workers
/// at these places. Writes nothing into the run folder.
[[nodiscard]] Result<ExitCode> dry_run(const BatchArguments &arguments, const std::vector<batch::WorkerPlace> &places);

} // namespace isovmaf::tool
