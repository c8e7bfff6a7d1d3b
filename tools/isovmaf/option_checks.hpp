// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

/// What options may be given, for CLI11. The sentences of an error go on behind the option's name: "takes a whole
/// number from 0 to 1024, not "many"". To be given to Option::transform, since numbers are brought into the form that
/// CLI11 reads.
namespace isovmaf::tool {

/// A decimal whole number. Without `most`, as large as an int holds.
[[nodiscard]] CLI::Validator whole_number(std::int64_t least, std::optional<std::int64_t> most = {});

/// A decimal number with or without a fraction.
[[nodiscard]] CLI::Validator number_between(double least, double most);

/// A number above 0.
[[nodiscard]] CLI::Validator positive_number();

/// One of these texts.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> choices);

/// A whole number of seconds from 1 on, or this word.
[[nodiscard]] CLI::Validator seconds_or(std::string word);

/// A number of bytes with or without a unit, such as 200GB or 16GiB.
[[nodiscard]] CLI::Validator byte_count();

} // namespace isovmaf::tool
