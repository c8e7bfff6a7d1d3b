// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>

#include "diff/feature_case.hpp"

namespace isovmaf::diff {

/// Whether a case still shows the fault.
using StillFails = std::function<bool(const FeatureCase &)>;

/// A case made smaller, and how.
struct SmallCase {
    FeatureCase smallest;
    std::size_t dropped_frames = 0; ///< earlier frames that it does without
    Reduction reduction;            ///< crop and bits alone
};

/// Looks for the smallest case that still fails: fewer option sets, fewer earlier frames, a part of the picture, fewer
/// bits. Greedy, with at most `attempts` calls of `fails`; `whole` fails.
[[nodiscard]] SmallCase shrink(const FeatureCase &whole, const StillFails &fails, int attempts = 200);

} // namespace isovmaf::diff
