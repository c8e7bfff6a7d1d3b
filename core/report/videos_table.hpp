// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "isovmaf/scores.hpp"

namespace isovmaf {

/// A distorted video in a table of several.
struct VideoScores {
    const std::string &name;
    const ScoreTable &scores;
    std::size_t first_model = 0;          ///< columns of the scores from here on are those of models
    std::vector<std::string> models = {}; ///< of the main scores: see model_of
};

/// A row for each video: its frames, and of the main scores (see main_columns) the mean; of the first one also the
/// lowest value and the 5th percentile. A name that is long has a line of its own. A score that a video lacks is "-".
/// Lines at the end say which models the scores are of.
[[nodiscard]] std::string videos_table(std::span<const VideoScores> videos);

} // namespace isovmaf
