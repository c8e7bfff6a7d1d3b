// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace isovmaf {

/// Parses a decimal integer that fills the whole text: no spaces, and no sign but '-'.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// Parses a finite decimal floating-point number that fills the whole text, and rounds it correctly to double.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

/// `%g`: at most six significant digits, as libvmaf prints option values in feature names.
[[nodiscard]] std::string format_g(double value);

} // namespace isovmaf
