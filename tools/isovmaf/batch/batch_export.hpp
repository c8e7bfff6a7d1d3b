// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

namespace isovmaf::tool {

/// The command line of `isovmaf batch export`.
struct ExportArguments {
    std::string folder;
    std::string format;
    std::string out; ///< empty: in the run folder
    std::string precision = "legacy";
};

/// The values that --format takes.
[[nodiscard]] std::vector<std::string> export_formats();

/// Runs `isovmaf batch export`; returns an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_batch_export(const ExportArguments &arguments);

} // namespace isovmaf::tool
