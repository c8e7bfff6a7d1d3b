// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_file.hpp"

#include <fmt/format.h>

#include "base/try.hpp"
#include "report/number_text.hpp"

namespace isovmaf::tool {

Result<ScoreFile> ScoreFile::create(const std::optional<std::string> &path, const ReportRules &rules,
                                    ReportPaths &earlier) {
    ScoreFile created;
    if (!path)
        return created;
    TRY(earlier.add(*path));
    created.file_ = TRY(ReportFile::create(*path, rules));
    created.is_standard_output_ = names_standard_output(*path);
    return created;
}

Result<void> ScoreFile::write(const std::function<std::string()> &make_text, RunEnd end, std::string &kept) {
    if (!wanted_after(end))
        return {};
    if (end == RunEnd::complete)
        return file_->commit(make_text());
    const std::string name = TRY(file_->commit_partial(make_text()));
    if (!name.empty())
        kept += (kept.empty() ? "" : " and ") + name;
    return {};
}

std::string kept_text(const Report &report, const std::string &kept) {
    return fmt::format("the scores of the {} before the failure are in {}",
                       counted(static_cast<std::int64_t>(report.scores.frames.size()), "frame"), kept);
}

} // namespace isovmaf::tool
