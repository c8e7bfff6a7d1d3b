// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Names and paths as parts of a report. They come from the user and may hold anything, invalid UTF-8 included, whose
/// bytes become U+FFFD.
namespace isovmaf {

/// Text on one line, not escaped for any format: control characters become U+FFFD too.
[[nodiscard]] std::string plain(std::string_view text);

/// The inside of a JSON string.
[[nodiscard]] std::string json_escape(std::string_view text);

/// The inside of an XML attribute in double quotes. Characters that XML cannot express become U+FFFD too.
[[nodiscard]] std::string xml_escape(std::string_view text);

/// Score names as names of XML attributes: characters that may not be part of one become '_', and a name that is taken,
/// also by one of `reserved`, grows a '_' at its end. Ordinary score names stay what they are.
[[nodiscard]] std::vector<std::string> xml_attribute_names(std::span<const std::string> names,
                                                           std::span<const std::string_view> reserved = {});

/// One CSV field, in quotes where it has to be.
[[nodiscard]] std::string csv_escape(std::string_view text);

/// Text of a MicroDVD subtitle: its line separator '|' and control characters become '_'.
[[nodiscard]] std::string sub_escape(std::string_view text);

} // namespace isovmaf
