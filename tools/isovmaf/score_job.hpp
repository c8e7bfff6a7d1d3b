// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/pair_source.hpp"
#include "isovmaf/isovmaf.hpp"
#include "report/report.hpp"
#include "tools/isovmaf/score_arguments.hpp"

namespace isovmaf::tool {

/// What a command line of `isovmaf score` asks for, understood.
struct ScoreJob {
    std::optional<VideoFormat> raw_format;
    PairOptions pair;
    SessionOptions session; ///< format still to come from the videos
    ReportFormat report_format = ReportFormat::xml;
    Precision precision = Precision::legacy;
};

/// Words the command line takes for an option.
[[nodiscard]] std::vector<std::string> pixel_format_names();
[[nodiscard]] std::vector<std::string> precision_names();
[[nodiscard]] std::vector<std::string> semantics_names();

/// Checks what the parser cannot: combinations, and texts with a grammar of their own.
[[nodiscard]] Result<ScoreJob> understand(const ScoreArguments &arguments);

} // namespace isovmaf::tool
