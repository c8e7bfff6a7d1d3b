// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/score_table.hpp"

namespace isovmaf {

/// A column of the scores as the page shows it.
struct ShownColumn {
    std::size_t index = 0;      ///< in the table
    std::string name;           ///< as reports print it
    std::string label;          ///< the same, shortened
    bool main = false;          ///< shown before the reader chooses
    std::vector<double> scores; ///< in frame order
};

/// All columns but those of the members of bootstrap models: models first, then features.
[[nodiscard]] std::vector<ShownColumn> shown_columns(const ScoreTable &scores, std::size_t first_model);

/// A score with four decimals, or fewer for large numbers; "inf", "-inf" or "nan".
[[nodiscard]] std::string score_text(double score);

} // namespace isovmaf
