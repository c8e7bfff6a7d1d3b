// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/isovmaf.hpp"

namespace isovmaf::diff {

/// What `isovmaf diff` scores unless the command line chooses: every feature with its defaults and with its
/// compared_options, and models that share their extraction. What has no meaning for the format or the semantics is
/// left out. Fails when nothing is left.
[[nodiscard]] Result<ScoringOptions> score_everything(const VideoFormat &format, Semantics semantics);

} // namespace isovmaf::diff
