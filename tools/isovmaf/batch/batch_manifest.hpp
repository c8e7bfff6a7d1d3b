// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>

#include "batch/manifest/validate.hpp"
#include "batch/store/run_folder.hpp"
#include "tools/isovmaf/batch/batch.hpp"

namespace isovmaf::tool {

/// Validates the manifest and prints every bad row on standard error.
[[nodiscard]] Result<batch::ManifestSummary> check_manifest(const BatchArguments &arguments,
                                                            const batch::RowSink &sink);

/// The folder that relative paths start from: that of the manifest, or the working directory for a pattern.
[[nodiscard]] std::filesystem::path base_of(const BatchArguments &arguments);

/// Makes or opens the run folder, and puts the rows of the manifest into it. Fails when rows are bad, unless
/// they are to be left out; with `interrupted` when `stop`, which is called for each row, returns true.
[[nodiscard]] Result<batch::RunFolder> prepare_run(const BatchArguments &arguments, const std::function<bool()> &stop);

} // namespace isovmaf::tool
