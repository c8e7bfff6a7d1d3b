// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "input/source.hpp"
#include "report/report.hpp"
#include "tools/isovmaf/score_job.hpp"

namespace isovmaf::tool {

/// A report of a run, without its scores.
[[nodiscard]] Report describe_run(const ScoreArguments &arguments, const ScoreJob &job, const OpenedVideos &videos);

} // namespace isovmaf::tool
