// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace isovmaf {

/// Decimal integer filling the whole text; nothing else (no sign but '-', no spaces).
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// Finite decimal floating-point number filling the whole text, correctly rounded to double.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);

/// `%g`: at most six significant digits, as libvmaf prints option values in feature names.
[[nodiscard]] std::string format_g(double value);

} // namespace isovmaf
