// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "report/report.hpp"

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace isovmaf {

namespace {

constexpr mode_t fresh_file_mode = 0666; // the kernel removes the bits of the umask

std::string system_words(int error) { return std::generic_category().message(error); }

tl::unexpected<Error> cannot_write(const std::string &path, std::string_view reason) {
    return fail(ErrorCode::io, fmt::format("cannot write report {}: {}", path, reason));
}

/// Calls a function again as long as a signal interrupts it: -1 and EINTR.
template <class Call>
auto retry(Call call) {
    auto result = call();
    while (result == -1 && errno == EINTR)
        result = call();
    return result;
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

/// What a ReportFile is made of.
struct Opened {
    std::string path;
    std::string temporary;
    int descriptor = -1;
};

Result<Opened> open_standard_output() {
    const std::string name = "to standard output";
    const int descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor == -1)
        return cannot_write(name, system_words(errno));
    return Opened{name, {}, descriptor};
}

/// Is not called again after EINTR: a signal must end the wait for the reader of a named pipe.
Result<Opened> open_directly(const std::string &path) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor == -1)
        return cannot_write(path, system_words(errno));
    return Opened{path, {}, descriptor};
}

Result<Opened> open_beside(const std::string &path, bool exists) {
    // Without this check, renaming would replace a write-protected file.
    if (exists && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
        return cannot_write(path, system_words(errno));
    // Behind a link, the file it points to is replaced, not the link.
    std::error_code error;
    const std::filesystem::path target = exists ? std::filesystem::canonical(path, error) : std::filesystem::path(path);
    if (!target.has_filename())
        return cannot_write(path.empty() ? "\"\"" : path, "it is no name of a file");
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    auto [descriptor, temporary] = open_temporary(folder);
    if (descriptor == -1) {
        const std::string reason = system_words(errno);
        return cannot_write(path, fmt::format("no file can be made in folder {}: {}", folder.string(), reason));
    }
    return Opened{target.string(), std::move(temporary), descriptor};
}

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = retry([&] { return write(descriptor, text.data(), text.size()); });
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) { // a full pipe in non-blocking mode
            pollfd pipe{.fd = descriptor, .events = POLLOUT, .revents = 0};
            poll(&pipe, 1, -1);
        } else {
            return false;
        }
    }
    return true;
}

} // namespace

Result<ReportFile> ReportFile::create(const std::string &path) {
    const auto wrap = [](Opened opened) {
        return ReportFile(std::move(opened.path), std::move(opened.temporary), opened.descriptor);
    };
    if (path == "-" || path == "/dev/stdout")
        return open_standard_output().map(wrap);
    struct stat status {};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT)
        return cannot_write(path, system_words(errno));
    if (exists && S_ISDIR(status.st_mode))
        return cannot_write(path, "it is a directory; give the name of a file");
    return (exists && !S_ISREG(status.st_mode) ? open_directly(path) : open_beside(path, exists)).map(wrap);
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

Result<void> ReportFile::finish(std::string_view text) {
    if (!write_all(descriptor_, text))
        return cannot_write(path_, system_words(errno));
    if (!temporary_.empty() && retry([&] { return fsync(descriptor_); }) != 0)
        return cannot_write(path_, system_words(errno));
    // close releases the descriptor even when it fails, also with EINTR, so it is never called again.
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
        return cannot_write(path_, system_words(errno));
    if (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0)
        return cannot_write(path_, system_words(errno));
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
