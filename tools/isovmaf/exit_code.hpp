// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// Exit codes of the process. `isovmaf --help` and README.md describe them.
namespace isovmaf::tool {

enum ExitCode : int {
    exit_ok = 0,
    exit_failed = 1,        ///< an input, model, score or output failed; one sentence says why
    exit_usage = 2,         ///< the command line is wrong
    exit_again = 75,        ///< a batch has failures that may be of the moment: run the command again (EX_TEMPFAIL)
    exit_interrupted = 130, ///< stopped by Ctrl-C; the report has the frames before it and says so
};

} // namespace isovmaf::tool
