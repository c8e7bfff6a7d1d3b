// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isovmaf {

/// Foreign text as an error sentence can carry it: in quotation marks when short and printable, else its length.
[[nodiscard]] std::string quote(std::string_view text);

/// Foreign text as a word of a POSIX shell's command line: in single quotes where it needs them.
[[nodiscard]] std::string quote_for_shell(std::string_view text);

/// Splits at ':'. "\:" stands for a colon that does not split, "\\" for a backslash; any other backslash is itself.
[[nodiscard]] std::vector<std::string> split_items(std::string_view text);

} // namespace isovmaf
