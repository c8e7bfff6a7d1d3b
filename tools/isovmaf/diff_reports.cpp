// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/diff_reports.hpp"

#include "base/try.hpp"
#include "diff/reports.hpp"

namespace isovmaf::tool {

Result<DiffReports> DiffReports::create(const DiffArguments &arguments) {
    DiffReports reports;
    const std::pair<const std::string &, Writer> wanted[] = {{arguments.json, diff::json},
                                                             {arguments.junit, diff::junit},
                                                             {arguments.markdown, diff::markdown},
                                                             {arguments.html, diff::html}};
    for (const auto &[path, writer] : wanted) {
        if (path.empty())
            continue;
        ReportFile file = TRY(ReportFile::create(path));
        reports.files_.emplace_back(std::move(file), writer);
        reports.on_standard_output_ = reports.on_standard_output_ || path == "-";
    }
    return reports;
}

Result<void> DiffReports::write(const diff::DiffResult &result) {
    for (auto &[file, writer] : files_)
        TRY(file.commit(writer(result)));
    return {};
}

} // namespace isovmaf::tool
