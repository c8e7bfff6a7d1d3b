// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "model/score_transform.hpp"
#include "model/svr.hpp"

namespace isovmaf {

/// Most features one model may read, as in libvmaf.
inline constexpr std::size_t max_model_features = 64;

/// Converts between a score and the scale that the regression was trained on. The default changes nothing (norm_type
/// "none").
struct Rescale {
    double slope = 1;
    double intercept = 0;

    [[nodiscard]] double apply(double x) const { return slope * x + intercept; }
    [[nodiscard]] double invert(double z) const { return (z - intercept) / slope; }
};

/// Replaces a chroma score of exactly 0 by one computed from adm3 (scores.md §2, step 3).
struct ChromaCorrection {
    double parameter = 0;   ///< not 0
    std::size_t guide = 0;  ///< index of the feature adm3
    std::size_t guided = 0; ///< index of the feature speed_chroma
};

/// The arithmetic of one model (scores.md §2), in double, with the operations in the order of that section.
struct Predictor {
    std::vector<Rescale> features; ///< 1..max_model_features
    Rescale score;
    std::optional<ChromaCorrection> chroma_correction;
    Svr svr;
    std::optional<ScoreTransform> transform;
    std::optional<ScoreClip> clip;

    /// Steps 2 to 5. One value per feature.
    [[nodiscard]] double raw_score(std::span<const double> values) const;

    /// Steps 6 and 7.
    [[nodiscard]] double final_score(double raw) const;
};

} // namespace isovmaf
