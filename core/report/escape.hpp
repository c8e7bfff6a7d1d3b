// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Makes names and paths parts of a report. They come from the user and may hold any bytes; bytes that are no UTF-8
/// become U+FFFD.
namespace isovmaf {

/// Text on one line, not escaped for any format: control characters become U+FFFD too.
[[nodiscard]] std::string plain(std::string_view text);

/// The inside of a JSON string.
[[nodiscard]] std::string json_escape(std::string_view text);

/// The inside of an XML attribute in double quotes. Characters that XML cannot express become U+FFFD too.
[[nodiscard]] std::string xml_escape(std::string_view text);

/// Score names as names of XML attributes. A character that is not allowed in one becomes '_'; a name that is taken,
/// also one of `reserved`, gets a '_' at its end. Ordinary score names are not changed.
[[nodiscard]] std::vector<std::string> xml_attribute_names(std::span<const std::string> names,
                                                           std::span<const std::string_view> reserved = {});

/// One CSV field, in quotes where they are needed.
[[nodiscard]] std::string csv_escape(std::string_view text);

/// Text of a MicroDVD subtitle: its line separator '|' and control characters become '_'.
[[nodiscard]] std::string sub_escape(std::string_view text);

} // namespace isovmaf
