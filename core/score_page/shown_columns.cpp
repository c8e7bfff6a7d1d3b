// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "score_page/shown_columns.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/terminal.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t longest_label = 28;

} // namespace

std::vector<ShownColumn> shown_columns(const ScoreTable &scores, std::size_t first_model) {
    const std::vector<std::string> labels = short_names(scores.names, longest_label);
    const std::vector<std::size_t> mains = main_columns(scores, first_model);
    std::vector<ShownColumn> columns;
    const auto add = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i++)
            if (i < first_model || !is_bootstrap_member(scores, i))
                columns.push_back({.index = i,
                                   .name = scores.names[i],
                                   .label = labels[i],
                                   .main = std::ranges::find(mains, i) != mains.end(),
                                   .scores = column_of(scores, i)});
    };
    add(std::min(first_model, scores.names.size()), scores.names.size());
    add(0, std::min(first_model, scores.names.size()));
    return columns;
}

std::string score_text(double score) {
    const double size = std::abs(score);
    return size < 1e6 || !std::isfinite(score) ? fmt::format("{:.4f}", score) : fmt::format("{:.6g}", score);
}

} // namespace isovmaf
