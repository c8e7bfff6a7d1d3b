// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "tools/isovmaf/score/score_arguments.hpp"

namespace isovmaf::tool {

/// A command line of `isovmaf score` after parsing.
struct ScoreRequest : PairJob {
    std::optional<std::string> output; ///< path of the report; none: no report
    ReportFormat report_format = ReportFormat::xml;
    Precision precision = Precision::legacy;
};

/// The values that --precision takes.
[[nodiscard]] std::vector<std::string> precision_names();
[[nodiscard]] Precision precision_of(const std::string &name); ///< one of these names

/// Parses what CLI11 cannot: combinations of options, and texts with a grammar of their own.
[[nodiscard]] Result<ScoreRequest> parse_arguments(const ScoreArguments &arguments);

} // namespace isovmaf::tool
