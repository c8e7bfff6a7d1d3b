// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "isovmaf/isovmaf.hpp"
#include "report/report.hpp"
#include "tools/isovmaf/score_arguments.hpp"

namespace isovmaf::tool {

/// What a command line of `isovmaf score` asks for, understood.
struct ScoreJob {
    VideoRequest videos;
    SessionOptions session; ///< format still to come from the videos
    ReportFormat report_format = ReportFormat::xml;
    Precision precision = Precision::legacy;
};

/// Words the command line takes for an option.
[[nodiscard]] std::vector<std::string> precision_names();

/// Checks what the parser cannot: combinations, and texts with a grammar of their own.
[[nodiscard]] Result<ScoreJob> parse_arguments(const ScoreArguments &arguments);

} // namespace isovmaf::tool
