// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "isovmaf/isovmaf.hpp"

namespace isovmaf::diff {

/// What `isovmaf diff` scores unless the command line chooses: every feature with its defaults and with its
/// compared_options, and models that share their extraction. What has no meaning for the format or the semantics is
/// left out; where a GPU takes part, so are features without kernels, and models that read them. Fails when nothing is
/// left.
[[nodiscard]] Result<ScoringOptions> score_everything(const VideoFormat &format, Semantics semantics, bool on_gpu);

/// What of `options` runs on GPUs.
[[nodiscard]] ScoringOptions with_kernels(ScoringOptions options, const VideoFormat &format);

} // namespace isovmaf::diff
