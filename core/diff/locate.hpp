// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "diff/comparison.hpp"
#include "diff/pictures.hpp"
#include "diff/result.hpp"
#include "diff/side.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf::diff {

/// Looks into a feature that differs on a side: the first stage that differs, the smallest pictures on which it does,
/// and the command that repeats it. `options` are what was scored. What cannot be done is told in the finding.
[[nodiscard]] Finding locate(const Side &side, const Suspect &suspect, const SessionOptions &options,
                             const Pictures &pictures);

} // namespace isovmaf::diff
