// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/isovmaf.hpp"

namespace isovmaf::diff {

/// What is scored when nobody chooses: every feature with its defaults and with options that take other ways through
/// the code, and models that share their extraction; of these what has a meaning for the format and the semantics.
/// Fails when nothing has.
[[nodiscard]] Result<SessionOptions> score_everything(const VideoFormat &format, Semantics semantics);

} // namespace isovmaf::diff
