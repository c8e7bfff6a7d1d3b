// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "diff/result.hpp"

/// One writer per format for the result of a comparison. Equal results give equal bytes. Names, paths and contents may
/// hold any bytes; every writer escapes them.
namespace isovmaf::diff {

/// For people at a terminal: what was compared, a table of subjects and sides, a paragraph about each difference, and a
/// last line with counts. ASCII except for names; `colour` adds escape sequences.
[[nodiscard]] std::string terminal_table(const DiffResult &result, bool colour);

/// The complete result for programs, as docs/diff-report.md describes it.
[[nodiscard]] std::string json(const DiffResult &result);

/// For continuous integration: a test suite per side and a test case per subject.
[[nodiscard]] std::string junit(const DiffResult &result);

/// For a comment on a change: at most about 60,000 characters, GitHub takes 65,536.
[[nodiscard]] std::string markdown(const DiffResult &result);

/// A page in one file that needs neither network nor scripts.
[[nodiscard]] std::string html(const DiffResult &result);

} // namespace isovmaf::diff
