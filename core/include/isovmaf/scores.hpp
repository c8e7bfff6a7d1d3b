// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "isovmaf/words.hpp"

namespace isovmaf {

/// What the words of a feature are, in their order.
struct FeatureWordSpecs {
    std::string feature = {};         ///< its name
    std::vector<WordSpec> words = {}; ///< one for each of FeatureWords::words
};

/// The words of one frame that a feature's scores are made of: one for each of Session::words.
struct FeatureWords {
    std::string feature = {};             ///< its name
    std::vector<std::int64_t> words = {}; ///< as FeatureWordSpecs describes them
};

/// All scores of one frame, in the order of Session::score_names.
struct FrameScores {
    std::int64_t frame = 0;          ///< counted from 0 over all pushed pairs, those that subsampling skips included
    std::vector<double> scores = {}; ///< one for each of Session::score_names
    std::vector<FeatureWords> words = {}; ///< only with ScoringOptions::keep_words
};

/// All scores of a video: one row for each scored frame, one column for each score, and the scores of the whole video.
struct ScoreTable {
    std::vector<std::string> names = {};                         ///< of the columns, as reports print them
    std::vector<FrameScores> frames = {};                        ///< in frame order; each holds names.size() scores
    std::vector<std::pair<std::string, double>> aggregates = {}; ///< see Session::aggregates
    std::vector<std::string> sources = {};                       ///< per column: the feature or the model
};

/// Statistics of one score over the scored frames. Sums run in frame order, in double.
struct PooledScore {
    double min = 0;           ///< the smallest score
    double max = 0;           ///< the largest score
    double mean = 0;          ///< Σs / n
    double harmonic_mean = 0; ///< n / Σ(1 / (s + 1)) - 1
    double percentile_1 = 0;  ///< interpolated linearly between the sorted scores, at rank p (n - 1) / 100
    double percentile_5 = 0;  ///< likewise
    double percentile_10 = 0; ///< likewise
    double percentile_25 = 0; ///< likewise
    double percentile_50 = 0; ///< likewise: the median
    double percentile_75 = 0; ///< likewise
    double percentile_95 = 0; ///< likewise
    double percentile_99 = 0; ///< likewise
};

} // namespace isovmaf
