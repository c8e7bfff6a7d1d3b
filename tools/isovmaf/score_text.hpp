// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "engine/score_table.hpp"
#include "report/report.hpp"

namespace isovmaf::tool {

/// What --quiet prints: the mean of the model's score alone on a line. Several models, or features without a model, get
/// a line each: the name and the mean. Columns from `first_model` on are those of models.
[[nodiscard]] std::string plain_scores(const ScoreTable &scores, std::size_t first_model, Precision precision);

} // namespace isovmaf::tool
