// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/diff_reports.hpp"

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
        Result<ReportFile> file = ReportFile::create(path);
        if (!file)
            return tl::unexpected(file.error());
        reports.files_.emplace_back(*std::move(file), writer);
        reports.on_standard_output_ = reports.on_standard_output_ || path == "-";
    }
    return reports;
}

Result<void> DiffReports::write(const diff::DiffResult &result) {
    for (auto &[file, writer] : files_)
        if (Result<void> written = file.commit(writer(result)); !written)
            return written;
    return {};
}

} // namespace isovmaf::tool
