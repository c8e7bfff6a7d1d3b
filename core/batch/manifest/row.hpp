// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "isovmaf/result.hpp"

namespace isovmaf::batch {

/// Columns of a row and their values; columns without a value are left out.
using Fields = std::map<std::string, std::vector<std::string>>;

/// One pair of a batch as the run folder keeps it: complete, with the defaults of the command line.
struct Row {
    std::int64_t line = 0; ///< of the manifest
    std::string reference, distorted;
    std::string label = {};
    std::optional<double> bit_rate = {};
    Fields options = {};                     ///< of `isovmaf score`, by their long names
    std::optional<std::int64_t> frames = {}; ///< that the pair seems to have, if it may be cut into segments
    std::vector<std::int64_t> segments = {}; ///< numbers of those that are done; empty: all
    std::string problem = {};                ///< why the row was left out; empty for a row that is scored
};

/// Whether each of these members that the object has is a whole number. The JSON library would convert a number with a
/// fraction, or a large one such as 1e25, to an integer, which is undefined. Whoever reads integers asks this first.
[[nodiscard]] bool are_whole_numbers(const nlohmann::json &object, std::initializer_list<const char *> members);

/// A row as one line of JSON without a line feed. Fails when a text is no UTF-8, unless the row has a problem: then
/// such bytes become U+FFFD.
[[nodiscard]] Result<std::string> encode_row(const Row &row);

/// Reads what encode_row wrote.
[[nodiscard]] Result<Row> decode_row(std::string_view text);

// Messages of failures in stores name no file: rows whose files have equal contents share a record, and results must
// not reveal where the folder lies.

/// The message with "{reference}" and "{distorted}" in the places of these paths.
[[nodiscard]] std::string hide_names(std::string message, const std::string &reference, const std::string &distorted);

/// A message of a store with the names that the row has.
[[nodiscard]] std::string show_names(std::string message, const Row &row);

} // namespace isovmaf::batch
