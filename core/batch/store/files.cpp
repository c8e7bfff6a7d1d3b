// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/file_io.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/process_name.hpp"

namespace isovmaf::batch {

namespace {

constexpr const char *unfinished = ".part";

} // namespace

tl::unexpected<Error> file_failed(std::string_view what, const std::filesystem::path &path, int error) {
    const bool full = error == ENOSPC || error == EDQUOT;
    return fail(error == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                fmt::format("cannot {} {}: {}{}", what, escape_controls(path.string()),
                            std::generic_category().message(error),
                            full ? "; make space there and run the command again: what is finished is kept" : ""));
}

std::size_t file_threads(std::size_t files) {
    constexpr std::size_t most = 32, files_of_thread = 8;
    return std::clamp<std::size_t>(files / files_of_thread, 1, most);
}

Result<void> sync_folder(const std::filesystem::path &folder) {
    const int descriptor = retry([&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (descriptor == -1)
        return file_failed("open", folder, errno);
    const int error = retry([&] { return fsync(descriptor); }) == 0 ? 0 : errno;
    close(descriptor);
    if (error != 0 && error != EINVAL && error != ENOTSUP) // a file system that has no such thing
        return file_failed("write", folder, error);
    return {};
}

Result<NewFile> NewFile::create(const std::filesystem::path &path, std::string_view text) {
    const std::string temporary = path.parent_path() / fmt::format(".{}{}", unique_name(), unfinished);
    const int descriptor =
        retry([&] { return open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
    if (descriptor == -1)
        return file_failed("write", path, errno);
    NewFile file(path, PendingFile(descriptor, temporary));
    TRY(file.write(text));
    return file;
}

Result<void> NewFile::flush() {
    const int error = file_.write(std::exchange(buffer_, {}));
    return error == 0 ? Result<void>() : file_failed("write", path_, error);
}

Result<void> NewFile::write(std::string_view text) {
    constexpr std::size_t enough = 1 << 16;
    buffer_ += text;
    return buffer_.size() < enough ? Result<void>() : flush();
}

Result<void> NewFile::commit() { return commit_as(path_); }

Result<void> NewFile::commit_as(const std::filesystem::path &path) {
    path_ = path;
    return commit_together({this, 1}, path.has_parent_path() ? path.parent_path() : ".");
}

Result<void> NewFile::complete() {
    TRY(flush());
    const int error = file_.complete();
    return error == 0 ? Result<void>() : file_failed("write", path_, error);
}

Result<void> commit_together(std::span<NewFile> files, const std::filesystem::path &folder) {
    for (NewFile &file : files)
        TRY(file.complete());
    for (NewFile &file : files)
        if (const int error = file.file_.commit(file.path_); error != 0)
            return file_failed("write", file.path_, error);
    return sync_folder(folder);
}

Result<void> remove_unfinished_files(const std::filesystem::path &folder) {
    std::error_code error, ignored;
    const auto yesterday = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with('.') || !name.ends_with(unfinished))
            continue;
        const auto written = entry->last_write_time(ignored);
        if (is_of_ended_process(std::string_view(name).substr(1)) || (!ignored && written < yesterday))
            std::filesystem::remove(entry->path(), ignored);
    }
    return error ? file_failed("read", folder, error.value()) : Result<void>();
}

Result<void> replace_file(const std::filesystem::path &path, std::string_view text) {
    return TRY(NewFile::create(path, text)).commit();
}

Result<OpenFile> OpenFile::open(const std::filesystem::path &path) {
    const int descriptor = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (descriptor == -1)
        return file_failed("open", path, errno);
    return OpenFile(path, descriptor);
}

OpenFile::~OpenFile() {
    if (descriptor_ != -1)
        close(descriptor_);
}

Result<std::uint64_t> OpenFile::size() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0)
        return file_failed("read", path_, errno);
    return static_cast<std::uint64_t>(status.st_size);
}

Result<std::string> OpenFile::read(std::uint64_t offset, std::uint64_t bytes) const {
    std::string text(bytes, '\0');
    for (std::size_t there = 0; there < bytes;) {
        const ssize_t got = retry(
            [&] { return pread(descriptor_, text.data() + there, bytes - there, static_cast<off_t>(offset + there)); });
        if (got == -1)
            return file_failed("read", path_, errno);
        there += static_cast<std::size_t>(got);
        if (got == 0)
            text.resize(bytes = there);
    }
    return text;
}

Result<std::string> OpenFile::read_whole(std::uint64_t offset, std::uint64_t bytes) const {
    std::string text = TRY(read(offset, bytes));
    if (text.size() < bytes)
        return file_failed("read", path_, EIO);
    return text;
}

Result<std::string> read_file(const std::filesystem::path &path) {
    std::string text;
    if (const int error = read_whole_file(path.string(), text); error != 0)
        return file_failed("read", path, error);
    return text;
}

} // namespace isovmaf::batch
