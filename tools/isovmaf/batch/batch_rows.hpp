// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "batch/manifest/manifest.hpp"
#include "request/pair_job.hpp"

namespace CLI {
class App;
}

/// The options of `isovmaf score` that rows of a manifest may have as columns: what is read and what is scored.
namespace isovmaf::tool {

void declare_row_options(CLI::App &command, RequestArguments &arguments);

/// These options of a command line, as they were given.
[[nodiscard]] batch::Fields given_row_options(const CLI::App &command);

/// The columns that a manifest may have.
[[nodiscard]] batch::ManifestColumns manifest_columns();

} // namespace isovmaf::tool
