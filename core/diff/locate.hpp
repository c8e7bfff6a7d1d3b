// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diff/comparison.hpp"
#include "diff/feature_case.hpp"
#include "diff/pictures.hpp"
#include "diff/result.hpp"
#include "diff/side.hpp"
#include "isovmaf/isovmaf.hpp"

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

/// Examines a feature that differs on a side: finds the first stage that differs, the smallest pictures on which the
/// feature still differs, and the command that repeats it. `options` are those of the run that differed; `stored` names
/// the report that it differs from, and is empty where it differs from another side. The finding's remark says what
/// could not be done.
[[nodiscard]] FeatureDifference locate(const Side &side, const Suspect &suspect, const SessionOptions &options,
                                       const Pictures &pictures, const std::string &stored = {});

} // namespace isovmaf::diff
