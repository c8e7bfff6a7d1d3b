// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>

#include "diff/feature_case.hpp"

namespace isovmaf::diff {

/// Returns whether a case still shows the fault.
using StillFails = std::function<bool(const FeatureCase &)>;

/// The smallest case that was found, and how it was made.
struct SmallCase {
    FeatureCase smallest;
    std::size_t dropped_frames = 0; ///< earlier frames that were left out
    Reduction reduction;            ///< of crop and bits only
};

/// Searches for the smallest case that still fails: fewer option sets, fewer earlier frames, a part of the picture,
/// fewer bits. Keeps each step that still fails, and calls `fails` at most `attempts` times. `whole` must fail.
[[nodiscard]] SmallCase shrink(const FeatureCase &whole, const StillFails &fails, int attempts = 200);

} // namespace isovmaf::diff
