// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isovmaf/words.hpp"

namespace isovmaf {

/// What the words of a feature are, in their order.
struct FeatureWordSpecs {
    std::string feature = {};
    std::vector<WordSpec> words = {};
};

/// The words of one frame that a feature's scores are made of: one for each of Session::words.
struct FeatureWords {
    std::string feature = {};
    std::vector<std::int64_t> words = {};
};

/// All scores of one frame, in the order of Session::score_names.
struct FrameScores {
    std::int64_t frame = 0; ///< counted from 0 over all pushed pairs, those that subsampling skips included
    std::vector<double> scores = {};
    std::vector<FeatureWords> words = {}; ///< only with SessionOptions::keep_words
};

/// Statistics of one score over the scored frames. Sums run in frame order, in double.
struct PooledScore {
    double min = 0;
    double max = 0;
    double mean = 0;          ///< Σs / n
    double harmonic_mean = 0; ///< n / Σ(1 / (s + 1)) - 1
    /// Percentiles with linear interpolation between the sorted scores, at rank p (n - 1) / 100.
    double percentile_1 = 0;
    double percentile_5 = 0;
    double percentile_10 = 0;
};

} // namespace isovmaf
