// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "diff/result.hpp"

/// A comparison as text: one writer per format. Equal results give the same bytes. Names, paths and contents may hold
/// anything; every writer escapes them.
namespace isovmaf::diff {

/// For people at a terminal: what was compared, a table of subjects and sides, a paragraph about all that differs, and
/// a last line with counts. ASCII but for the names, with colours if so wanted.
[[nodiscard]] std::string terminal_table(const DiffResult &result, bool colour);

/// Everything, for programs: docs/diff-report.md.
[[nodiscard]] std::string json(const DiffResult &result);

/// For continuous integration: a test suite per side and a test case per subject.
[[nodiscard]] std::string junit(const DiffResult &result);

/// For a comment on a change: at most about 60,000 characters, GitHub takes 65,536.
[[nodiscard]] std::string markdown(const DiffResult &result);

/// A page in one file that needs neither network nor scripts.
[[nodiscard]] std::string html(const DiffResult &result);

} // namespace isovmaf::diff
