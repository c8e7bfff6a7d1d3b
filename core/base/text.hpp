// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isovmaf {

/// Text from outside, made fit for an error sentence: in quotation marks when it is short and printable, else only
/// its length.
[[nodiscard]] std::string quote(std::string_view text);

/// Text from outside as one argument in a command line of a POSIX shell: in single quotes where it needs them.
[[nodiscard]] std::string quote_for_shell(std::string_view text);

/// Splits at ':'. "\:" stands for a colon that does not split, "\\" for a backslash; any other backslash is itself.
[[nodiscard]] std::vector<std::string> split_items(std::string_view text);

} // namespace isovmaf
