// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score_files.hpp"

#include "base/try.hpp"
#include "tools/isovmaf/report_paths.hpp"

namespace isovmaf::tool {

namespace {

/// Adds the name of the file to `kept` if it is that of an interrupted run, in a file of its own.
Result<void> write_file(ReportFile &file, const std::string &text, bool incomplete, std::string &kept) {
    if (!incomplete)
        return file.commit(text);
    const std::string name = TRY(file.commit_partial(text));
    if (!name.empty())
        kept += (kept.empty() ? "" : " and ") + name;
    return {};
}

} // namespace

Result<ScoreFiles> ScoreFiles::create(const ScoreArguments &arguments, const ScoreJob &job) {
    const ReportRules rules{input_files(arguments, job.session.models), arguments.force};
    ScoreFiles files;
    ReportPaths paths;
    const auto open = [&](const std::optional<std::string> &path, std::optional<ReportFile> &file) -> Result<void> {
        if (!path)
            return {};
        TRY(paths.add(*path));
        file = TRY(ReportFile::create(*path, rules));
        files.on_standard_output_ = files.on_standard_output_ || names_standard_output(*path);
        return {};
    };
    TRY(open(job.output, files.report_));
    TRY(open(arguments.html, files.page_));
    return files;
}

Result<std::string> ScoreFiles::write(const ScorePage &page, const ScoreJob &job) {
    const bool incomplete = page.report.incomplete;
    std::string kept;
    if (report_)
        TRY(write_file(*report_, write_report(page.report, job.report_format, job.precision), incomplete, kept));
    if (page_)
        TRY(write_file(*page_, score_page_html(page), incomplete, kept));
    return kept;
}

} // namespace isovmaf::tool
