// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/diff_reports.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/try.hpp"
#include "diff/reports.hpp"

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

/// Two reports in one file would leave one of them.
Result<void> refuse_twice(const std::string &path, std::vector<std::filesystem::path> &earlier) {
    const std::filesystem::path name = std::filesystem::absolute(path).lexically_normal();
    if (std::error_code error; std::filesystem::is_character_file(name, error)) // such as /dev/null
        return {};
    for (const std::filesystem::path &other : earlier)
        if (other == name)
            return fail(ErrorCode::invalid_argument, fmt::format("two reports cannot be written to {}", path));
    earlier.push_back(name);
    return {};
}

} // namespace

Result<DiffReports> DiffReports::create(const DiffArguments &arguments) {
    DiffReports reports;
    const std::pair<const std::optional<std::string> &, Writer> wanted[] = {{arguments.json, diff::json},
                                                                            {arguments.junit, diff::junit},
                                                                            {arguments.markdown, diff::markdown},
                                                                            {arguments.html, diff::html}};
    std::vector<std::filesystem::path> paths;
    for (const auto &[path, writer] : wanted) {
        if (!path)
            continue;
        TRY(refuse_twice(*path, paths));
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
