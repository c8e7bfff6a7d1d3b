// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "score_page/worst_frames.hpp"

namespace isovmaf {

/// The most numbers that a page holds for its script: 8 MB of text. Of longer videos it has the lowest and the highest
/// score of every few frames.
inline constexpr std::size_t most_page_numbers = 1'500'000;

/// What the HTML report of a run shows.
struct ScorePage {
    const Report &report;
    std::size_t first_model = 0;        ///< columns of the scores from here on are those of models
    std::string command = {};           ///< the command line
    std::vector<WorstFrame> worst = {}; ///< the lowest score first
    std::int64_t distance = 1;          ///< frames between two of `worst`, at least
    std::string map_feature = {};       ///< whose maps `worst` has
    bool pictures_left_out = false;     ///< some of `worst` have no pictures so that the page stays small
    std::size_t most_numbers = most_page_numbers;
};

/// The HTML report: one file without network, whose title begins with "isovmaf score". It shows scores over time, worst
/// frames, distributions, what was compared and where it was computed. Its script draws a chart with zoom; without
/// scripts there is a fixed chart of the main scores.
[[nodiscard]] std::string score_page_html(const ScorePage &page);

} // namespace isovmaf
