// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace isovmaf {

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

} // namespace isovmaf
