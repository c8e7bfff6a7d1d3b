// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/score/score_file.hpp"

#include "base/try.hpp"

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

Result<void> ScoreFile::write(const std::string &text, bool incomplete, std::string &kept) {
    if (!incomplete)
        return file_->commit(text);
    const std::string name = TRY(file_->commit_partial(text));
    if (!name.empty())
        kept += (kept.empty() ? "" : " and ") + name;
    return {};
}

} // namespace isovmaf::tool
