// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isovmaf {

/// Text from outside, made fit for an error sentence: in quotation marks when it is short and printable, else only
/// its length.
[[nodiscard]] std::string quote(std::string_view text);

/// A name from outside as a part of a sentence: control characters, such as line feeds and the escape sequences of
/// terminals, are written as "\x0a". Other bytes stay, because names are in many languages.
[[nodiscard]] std::string escape_controls(std::string_view name);

/// Text from outside as one argument in a command line of a POSIX shell: in single quotes where it needs them.
[[nodiscard]] std::string quote_for_shell(std::string_view text);

/// Splits at ':'. "\:" stands for a colon that does not split, "\\" for a backslash; any other backslash is itself.
[[nodiscard]] std::vector<std::string> split_items(std::string_view text);

/// Splits at commas; a list has at least one entry, which may be empty.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text, char separator = ',');

/// The text with `to` in all places of `from`; unchanged when `from` is empty.
[[nodiscard]] std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// Parses a decimal integer that fills the whole text: no spaces, and no sign but '-'.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// Parses a finite decimal floating-point number that fills the whole text, and rounds it correctly to double.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

/// `%g`: at most six significant digits, as libvmaf prints option values in feature names.
[[nodiscard]] std::string format_g(double value);

} // namespace isovmaf
