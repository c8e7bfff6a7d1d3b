// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/score_table.hpp"
#include "html/charts.hpp"
#include "report/report.hpp"
#include "score_page/score_page.hpp"

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

/// The axis of a column's scores over time, for the fixed chart and for the one that the script draws.
[[nodiscard]] ScoreAxis score_axis(const ShownColumn &column);

/// How many frames in a row have one place in the page's data: 1 as long as `most_numbers` allows it. A larger group
/// has two numbers per column, its lowest and its highest score.
[[nodiscard]] std::size_t frames_per_place(std::size_t frames, std::size_t columns,
                                           std::size_t most_numbers = most_page_numbers);

/// The scores as JSON for the script, fit for a <script> element. Numbers are floats in little-endian order, as Base64.
[[nodiscard]] std::string page_data_json(const Report &report, std::span<const ShownColumn> columns,
                                         std::size_t most_numbers = most_page_numbers);

/// "; vmaf is a score of the model vmaf_v0.6.1" for each main score of a model.
[[nodiscard]] std::string models_html(const Report &report, std::span<const ShownColumn> columns);

/// The sections of the page from top to bottom, as HTML; "" where there is nothing to show.
[[nodiscard]] std::string headline_html(const ScorePage &page, std::span<const ShownColumn> columns);
[[nodiscard]] std::string notices_html(const ScorePage &page);
[[nodiscard]] std::string chart_html(const ScorePage &page, std::span<const ShownColumn> columns);
[[nodiscard]] std::string worst_frames_html(const ScorePage &page, std::span<const ShownColumn> columns);
[[nodiscard]] std::string distribution_html(const Report &report, std::span<const ShownColumn> columns);
[[nodiscard]] std::string comparison_html(const Report &report);
[[nodiscard]] std::string execution_html(const Report &report);

} // namespace isovmaf
