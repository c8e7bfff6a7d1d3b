// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cassert>
#include <utility>

#include "base/try.hpp"
#include "report/report_target.hpp"

namespace isovmaf {

Result<ReportFile> ReportFile::create(const std::string &path, const ReportRules &rules) {
    ReportTarget target = TRY(open_report_target(path, rules));
    return ReportFile(std::move(target.path), PendingFile(target.descriptor, std::move(target.temporary)));
}

ReportFile::ReportFile(std::string path, PendingFile file) : path_(std::move(path)), file_(std::move(file)) {}

Result<void> ReportFile::commit(std::string_view text) {
    assert(file_.is_open());
    Result<void> result = finish(text);
    file_.abandon();
    return result;
}

Result<std::string> ReportFile::commit_partial(std::string_view text) {
    const bool beside = file_.is_temporary();
    if (beside)
        path_ = partial_name(path_);
    TRY(commit(text));
    return beside ? path_ : "";
}

Result<void> ReportFile::finish(std::string_view text) {
    int error = file_.write(text);
    if (error == 0)
        error = file_.commit(path_);
    return error == 0 ? Result<void>() : cannot_write_report(path_, error);
}

} // namespace isovmaf
