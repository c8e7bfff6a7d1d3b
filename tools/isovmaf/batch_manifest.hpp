// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "batch/run_folder.hpp"
#include "batch/validate.hpp"
#include "tools/isovmaf/batch.hpp"

namespace isovmaf::tool {

/// Validates the manifest and prints every bad row on standard error.
[[nodiscard]] Result<batch::ManifestSummary> check_manifest(const BatchArguments &arguments,
                                                            const batch::RowSink &sink);

/// Makes or opens the run folder, and puts the rows of the manifest into it. Fails when rows are bad, unless
/// they are to be left out.
[[nodiscard]] Result<batch::RunFolder> prepare_run(const BatchArguments &arguments);

} // namespace isovmaf::tool
