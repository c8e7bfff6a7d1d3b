// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/diff/diff_reports.hpp"

#include "base/try.hpp"
#include "diff/reports.hpp"
#include "tools/isovmaf/report_paths.hpp"

namespace isovmaf::tool {

namespace {

/// The files that the command reads: no report may replace them.
ReportRules report_rules(const DiffArguments &arguments) {
    ReportRules rules{{}, arguments.force};
    for (const std::string &input : {arguments.reference, arguments.distorted, arguments.against})
        if (!input.empty())
            rules.inputs.push_back(input);
    return rules;
}

} // namespace

Result<DiffReports> DiffReports::create(const DiffArguments &arguments) {
    DiffReports reports;
    const std::pair<const std::optional<std::string> &, Writer> wanted[] = {{arguments.json, diff::json},
                                                                            {arguments.junit, diff::junit},
                                                                            {arguments.markdown, diff::markdown},
                                                                            {arguments.html, diff::html}};
    ReportPaths paths;
    for (const auto &[path, writer] : wanted) {
        if (!path)
            continue;
        TRY(paths.add(*path));
        ReportFile file = TRY(ReportFile::create(*path, report_rules(arguments)));
        reports.files_.emplace_back(std::move(file), writer);
        reports.on_standard_output_ = reports.on_standard_output_ || names_standard_output(*path);
    }
    return reports;
}

Result<void> DiffReports::write(const diff::DiffResult &result) {
    for (auto &[file, writer] : files_)
        TRY(file.commit(writer(result)));
    return {};
}

} // namespace isovmaf::tool
