// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <utility>

#include <unistd.h>

#include "base/try.hpp"
#include "base/write_all.hpp"
#include "report/report_target.hpp"

namespace isovmaf {

Result<ReportFile> ReportFile::create(const std::string &path, const ReportRules &rules) {
    ReportTarget target = TRY(open_report_target(path, rules));
    return ReportFile(std::move(target.path), std::move(target.temporary), target.descriptor);
}

ReportFile::ReportFile(std::string path, std::string temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

ReportFile::~ReportFile() { abandon(); }

ReportFile::ReportFile(ReportFile &&other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

ReportFile &ReportFile::operator=(ReportFile &&other) noexcept {
    if (this != &other) {
        abandon();
        path_ = std::move(other.path_);
        temporary_ = std::exchange(other.temporary_, {});
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

Result<void> ReportFile::commit(std::string_view text) {
    assert(descriptor_ != -1);
    Result<void> result = finish(text);
    abandon();
    return result;
}

Result<std::string> ReportFile::commit_partial(std::string_view text) {
    const bool beside = !temporary_.empty();
    if (beside)
        path_ = partial_name(path_);
    TRY(commit(text));
    return beside ? path_ : "";
}

Result<void> ReportFile::finish(std::string_view text) {
    if (const int error = write_all(descriptor_, text); error != 0)
        return cannot_write_report(path_, error);
    if (!temporary_.empty() && retry([&] { return fsync(descriptor_); }) != 0)
        return cannot_write_report(path_, errno);
    // close releases the descriptor even when it fails, also with EINTR, so it is never called again.
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
        return cannot_write_report(path_, errno);
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0)
        return cannot_write_report(path_, errno);
    temporary_.clear();
    return {};
}

void ReportFile::abandon() {
    if (descriptor_ != -1)
        close(std::exchange(descriptor_, -1));
    if (!temporary_.empty())
        unlink(std::exchange(temporary_, {}).c_str());
}

} // namespace isovmaf
