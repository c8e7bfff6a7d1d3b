// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/report.hpp"

namespace isovmaf {

/// Appends a score as every format but JSON prints it, whatever the process's locale. Infinities and NaN are "inf",
/// "-inf" and "nan". `max` and `hex` texts read back as the same double.
void append_number(std::string &out, double value, Precision precision);

/// The same as a JSON value: hexadecimal, which JSON has no number for, as a string, and null when not finite.
void append_json_number(std::string &out, double value, Precision precision);

/// "9,504"
[[nodiscard]] std::string count_text(std::int64_t count);

/// "0:35", "1:02:03"
[[nodiscard]] std::string clock_text(double seconds);

/// "1 frame", "9,504 frames"
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);

/// "less than a second", "42 s", "3 min", "2 h 10 min", "5 d 3 h": rounded, for people. From 0 on.
[[nodiscard]] std::string duration_text(double seconds);

} // namespace isovmaf
