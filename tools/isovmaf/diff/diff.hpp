// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>

#include "diff/diff_arguments.hpp"

namespace isovmaf::tool {

/// The command line of `isovmaf diff`, as typed.
struct DiffArguments : diff::DiffArguments {
    std::string command; ///< the whole command line

    std::optional<std::string> json, junit, markdown, html;
    bool force = false;
    bool quiet = false;
};

/// Runs `isovmaf diff`; returns a diff::Verdict, or exit_interrupted. Failures are printed on standard error.
[[nodiscard]] int run_diff(const DiffArguments &arguments);

} // namespace isovmaf::tool
