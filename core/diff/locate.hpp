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

/// Examines a feature that differs on a side: finds the first stage that differs, the smallest pictures on which the
/// feature still differs, and the command that repeats it. `options` are those of the run that differed. The finding's
/// remark says what could not be done.
[[nodiscard]] Finding locate(const Side &side, const Suspect &suspect, const SessionOptions &options,
                             const Pictures &pictures);

} // namespace isovmaf::diff
