// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "report/report.hpp"
#include "request/scoring_arguments.hpp"

namespace isovmaf {

/// A report with what was asked for, and neither videos nor scores. `scoring` is what parse_scoring made of
/// `arguments`; `format` is that of the pictures.
[[nodiscard]] Report describe_scoring(const ScoringArguments &arguments, const ScoringOptions &scoring,
                                      const VideoFormat &format);

} // namespace isovmaf
