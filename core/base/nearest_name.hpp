// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isovmaf {

/// The name that `text` was probably meant to be; empty when none is near. It differs least by letters that are
/// missing, added, replaced or swapped with their neighbour, at most one in three; else it is the shortest one that
/// contains `text`, or the longest that `text` contains. Small and capital letters are the same.
[[nodiscard]] std::string nearest_name(std::string_view text, std::span<const std::string> names);

/// " (did you mean NAME?)" for an error sentence, behind the text that is no name; empty when none is near.
[[nodiscard]] std::string did_you_mean(std::string_view text, std::span<const std::string> names);

} // namespace isovmaf
