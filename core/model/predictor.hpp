// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace isovmaf {

/// Support vector regression with a radial basis kernel, as libsvm trains it (nu_svr, rbf).
struct Svr {
    double gamma = 0;
    double rho = 0;
    std::size_t dimension = 0;        ///< features of one support vector
    std::vector<double> coefficients; ///< one per support vector
    std::vector<double> vectors;      ///< one row of `dimension` values per support vector; 0 where the file has none

    /// The regression's value at `z`, which has `dimension` values (scores.md §2, step 4).
    [[nodiscard]] double predict(std::span<const double> z) const;
};

/// Most knots; libvmaf has room for this many.
inline constexpr std::size_t max_knots = 10;

struct Knot {
    double x = 0;
    double y = 0;
};

/// Maps a score to another viewing situation (scores.md §2, step 6).
struct ScoreTransform {
    bool enabled = false;
    std::optional<double> p0{}, p1{}, p2{};
    std::vector<Knot> knots{}; ///< none, or 2..max_knots with x rising strictly and y never falling
    bool out_lte_in = false;   ///< the result is never above the original score
    bool out_gte_in = false;   ///< the result is never below the original score

    /// The transformed score; `score` itself when the transform is not enabled.
    [[nodiscard]] double apply(double score) const;
};

/// Limits of a score (scores.md §2, step 7).
struct ScoreClip {
    double min = 0;
    double max = 0;

    [[nodiscard]] double apply(double score) const;
};

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
