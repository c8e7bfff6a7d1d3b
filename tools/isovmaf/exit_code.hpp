// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

/// What the process tells its caller. Documented in `isovmaf --help` and README.md.
namespace isovmaf::tool {

enum ExitCode : int {
    exit_ok = 0,
    exit_failed = 1,        ///< an input, model, score or output could not be had; one sentence says why
    exit_usage = 2,         ///< the command line is wrong
    exit_interrupted = 130, ///< stopped by Ctrl-C; the report, if asked for, covers the frames before and says so
};

} // namespace isovmaf::tool
