// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <atomic>
#include <cassert>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "report/report.hpp"
#include "report/report_signature.hpp"

namespace isovmaf {

namespace {

/// Where a report goes: a temporary file beside its path, or, for pipes and devices, the path itself.
struct ReportTarget {
    std::string path;
    std::string temporary; ///< empty when `descriptor` writes to the path itself
    int descriptor = -1;
};

using FileStatus = struct stat;

constexpr mode_t fresh_file_mode = 0666; // the kernel removes the bits of the umask
constexpr mode_t permission_bits = 07777;

std::string system_words(int error) { return std::generic_category().message(error); }

tl::unexpected<Error> cannot_write_report(const std::string &path, std::string_view reason) {
    return fail(ErrorCode::io, fmt::format("cannot write report {}: {}", path, reason));
}

/// The same with the system's words for an errno.
tl::unexpected<Error> cannot_write_report(const std::string &path, int error) {
    return cannot_write_report(path, system_words(error));
}

/// The descriptor that a path stands for: "-", "/dev/stdout", "/dev/fd/3" and the like.
std::optional<int> named_descriptor(std::string_view path) {
    if (path == "-" || path == "/dev/stdout")
        return STDOUT_FILENO;
    if (path == "/dev/stderr")
        return STDERR_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
        if (path.starts_with(folder))
            if (const auto number = parse_integer(path.substr(folder.size())); number && *number <= 0xffff)
                return static_cast<int>(*number);
    return std::nullopt;
}

/// The status of a file that the run reads; nothing when there is none.
std::optional<FileStatus> status_of_input(std::string_view input) {
    FileStatus status{};
    if (input == "-")
        return fstat(STDIN_FILENO, &status) == 0 ? std::optional(status) : std::nullopt;
    if (input.starts_with("file:")) // as libav may be given a path
        input.remove_prefix(5);
    return stat(std::string(input).c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// Refuses a file that the run reads.
Result<void> refuse_inputs(const std::string &path, const FileStatus &status, const ReportRules &rules) {
    if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))
        return {};
    for (const std::string &input : rules.inputs) {
        const std::optional<FileStatus> other = status_of_input(input);
        if (other && other->st_dev == status.st_dev && other->st_ino == status.st_ino)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("cannot write report {}: it is the same file as the input {}; give the report "
                                    "another name",
                                    path, input));
    }
    return {};
}

/// Refuses a file that holds something else than a report.
Result<void> refuse_foreign(const std::string &path, const FileStatus &status, const ReportRules &rules) {
    const bool holds_data = S_ISBLK(status.st_mode) || (S_ISREG(status.st_mode) && status.st_size > 0);
    if (rules.force || !holds_data || (S_ISREG(status.st_mode) && is_report(path)))
        return {};
    return cannot_write_report(path, "it exists and is no report of isovmaf or libvmaf; give another name, or --force "
                                     "to replace it");
}

Result<void> refuse_to_replace(const std::string &path, const FileStatus &status, const ReportRules &rules) {
    TRY(refuse_inputs(path, status, rules));
    return refuse_foreign(path, status, rules);
}

/// Creates a file in `folder`. mkstemp would create one that only its owner can read.
std::pair<int, std::string> open_temporary(const std::filesystem::path &folder) {
    static std::atomic<unsigned> counter = 0;
    for (;;) {
        std::string path = (folder / fmt::format(".isovmaf-{}-{}.part", getpid(), counter++)).string();
        const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
        const int descriptor = retry([&] { return open(path.c_str(), flags, fresh_file_mode); });
        if (descriptor != -1 || errno != EEXIST)
            return {descriptor, std::move(path)};
    }
}

Result<ReportTarget> open_descriptor(const std::string &path, int number, const ReportRules &rules) {
    const std::string name = number == STDOUT_FILENO ? "to standard output" : path;
    const int flags = fcntl(number, F_GETFL);
    FileStatus status{};
    if (flags == -1 || fstat(number, &status) != 0)
        return cannot_write_report(name, errno);
    if ((flags & O_ACCMODE) == O_RDONLY)
        return cannot_write_report(name, EBADF);
    TRY(refuse_inputs(name, status, rules));
    const int descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0);
    if (descriptor == -1)
        return cannot_write_report(name, errno);
    return ReportTarget{name, {}, descriptor};
}

/// Is not called again after EINTR: a signal must end the wait for the reader of a named pipe.
Result<ReportTarget> open_directly(const std::string &path) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor == -1)
        return cannot_write_report(path, errno);
    return ReportTarget{path, {}, descriptor};
}

/// Gives a new file the permissions of the file that it will replace, and its owner where the process may do so.
void take_over_permissions(int descriptor, const FileStatus &replaced) {
    const bool owned = fchown(descriptor, replaced.st_uid, replaced.st_gid) == 0;
    (void)owned; // another user's file keeps its permissions only
    (void)fchmod(descriptor, replaced.st_mode & permission_bits);
}

/// The file that a name stands for. Behind links this is the file that they point to, whether it exists or not: a
/// report replaces no link.
std::filesystem::path behind_links(const std::string &path) {
    constexpr int most_links = 40; // as in the kernel
    std::error_code error;
    if (std::filesystem::path existing = std::filesystem::canonical(path, error); !error)
        return existing;
    std::filesystem::path target = path;
    for (int i = 0; i < most_links && std::filesystem::is_symlink(target, error); i++)
        target = target.parent_path() / std::filesystem::read_symlink(target, error);
    return target;
}

Result<ReportTarget> open_beside(const std::string &path, const std::optional<FileStatus> &replaced) {
    // Without this check, renaming would replace a write-protected file.
    if (replaced && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
        return cannot_write_report(path, errno);
    const std::filesystem::path target = behind_links(path);
    if (!target.has_filename())
        return cannot_write_report(path, "it is no name of a file");
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    auto [descriptor, temporary] = open_temporary(folder);
    if (descriptor == -1) {
        const std::string reason = system_words(errno);
        return cannot_write_report(path, fmt::format("no file can be made in folder {}: {}", folder.string(), reason));
    }
    if (replaced)
        take_over_permissions(descriptor, *replaced);
    return ReportTarget{target.string(), std::move(temporary), descriptor};
}

/// The name under which the report of a run that ended early is kept.
std::string partial_name(const std::string &path) { return path + ".partial"; }

/// A run that ends early must be able to keep what it has.
Result<void> check_partial_name(const std::string &path, const ReportRules &rules) {
    FileStatus status{};
    const std::string partial = partial_name(path);
    if (lstat(partial.c_str(), &status) != 0)
        return {};
    if (S_ISLNK(status.st_mode))
        return cannot_write_report(path, fmt::format("{} is a symbolic link, which the scores of a run that ends early "
                                                     "would replace; remove it, or give another name",
                                                     partial));
    return refuse_to_replace(partial, status, rules);
}

/// Opens the target of a report, or says why no report may be written there.
Result<ReportTarget> open_report_target(const std::string &path, const ReportRules &rules) {
    if (path.empty())
        return fail(ErrorCode::invalid_argument, "cannot write report \"\": it is no name of a file");
    if (const std::optional<int> descriptor = named_descriptor(path))
        return open_descriptor(path, *descriptor, rules);
    FileStatus status{};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT)
        return cannot_write_report(path, errno);
    if (exists && S_ISDIR(status.st_mode))
        return cannot_write_report(path, "it is a directory; give the name of a file");
    if (exists)
        TRY(refuse_to_replace(path, status, rules));
    if (exists && !S_ISREG(status.st_mode))
        return open_directly(path);
    ReportTarget target = TRY(open_beside(path, exists ? std::optional(status) : std::nullopt));
    if (Result<void> checked = check_partial_name(target.path, rules); !checked) {
        close(target.descriptor);
        unlink(target.temporary.c_str());
        return tl::unexpected(checked.error());
    }
    return target;
}

} // namespace

bool names_standard_output(std::string_view path) { return named_descriptor(path) == STDOUT_FILENO; }

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

bool ReportFile::has_partial_name() const { return file_.is_temporary(); }

Result<std::string> ReportFile::commit_partial(std::string_view text) {
    const bool beside = has_partial_name();
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
