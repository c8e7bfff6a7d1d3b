// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

namespace isovmaf {

/// How many bytes from the start of a file `begins_like_report` needs.
inline constexpr std::size_t signature_bytes = 4096;

/// Whether a file that begins with `head` is a report of isovmaf or libvmaf: JSON, XML, CSV or SUB with scores, JUnit
/// XML of `isovmaf score`, or a report of `isovmaf diff`. An empty file counts as a report: nothing is lost with it.
[[nodiscard]] bool begins_like_report(std::string_view head);

/// The same for a file; false when the file cannot be read.
[[nodiscard]] bool is_report(const std::string &path);

} // namespace isovmaf
