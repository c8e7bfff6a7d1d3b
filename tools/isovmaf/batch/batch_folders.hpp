// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "tools/isovmaf/batch/batch.hpp"

namespace isovmaf::tool {

/// The command line of `isovmaf batch merge`.
struct MergeArguments {
    std::vector<std::string> folders;
    std::string out;
};

/// The command line of `isovmaf batch status`.
struct StatusArguments {
    std::string folder;
    bool json = false;
};

/// The command line of `isovmaf rescore`.
struct RescoreArguments {
    std::string folder;
    std::string out;       ///< empty: "rescored" in the run folder
    batch::Fields options; ///< that take the place of the rows' own
};

/// Run these commands; they return an ExitCode. Failures are printed on standard error.
[[nodiscard]] int run_batch_merge(const MergeArguments &arguments);
[[nodiscard]] int run_batch_status(const StatusArguments &arguments);
[[nodiscard]] int run_rescore(const RescoreArguments &arguments);

} // namespace isovmaf::tool
