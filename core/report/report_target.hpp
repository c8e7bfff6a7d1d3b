// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "report/report.hpp"

namespace isovmaf {

/// Where a report goes: a temporary file beside its path, or, for pipes and devices, the path itself.
struct ReportTarget {
    std::string path;
    std::string temporary; ///< empty when `descriptor` writes to the path itself
    int descriptor = -1;
};

/// Opens the target of a report, or says why no report may be written there.
[[nodiscard]] Result<ReportTarget> open_report_target(const std::string &path, const ReportRules &rules);

/// The name under which the report of an interrupted run is kept.
[[nodiscard]] std::string partial_name(const std::string &path);

[[nodiscard]] tl::unexpected<Error> cannot_write_report(const std::string &path, std::string_view reason);

/// The same with the system's words for an errno.
[[nodiscard]] tl::unexpected<Error> cannot_write_report(const std::string &path, int error);

} // namespace isovmaf
