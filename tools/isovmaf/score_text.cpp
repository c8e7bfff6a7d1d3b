// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score_text.hpp"

#include <vector>

#include "report/number_text.hpp"

namespace isovmaf::tool {

namespace {

/// The first column of each model, which is its score; without models every column.
std::vector<std::size_t> main_columns(const ScoreTable &scores, std::size_t first_model) {
    const bool models = first_model < scores.names.size();
    std::vector<std::size_t> columns;
    for (std::size_t i = models ? first_model : 0; i < scores.names.size(); i++)
        if (!models || i == first_model || scores.sources[i] != scores.sources[i - 1])
            columns.push_back(i);
    return columns;
}

} // namespace

std::string plain_scores(const ScoreTable &scores, std::size_t first_model, Precision precision) {
    const std::vector<std::size_t> columns = main_columns(scores, first_model);
    std::string text;
    for (const std::size_t column : columns) {
        if (columns.size() > 1)
            text += scores.names[column] + ' ';
        append_number(text, pool_column(scores, column).mean, precision);
        text += '\n';
    }
    return text;
}

} // namespace isovmaf::tool
