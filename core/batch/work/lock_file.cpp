// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/work/lock_file.hpp"

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/hashes.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

namespace {

using FileStatus = struct stat;

constexpr std::int64_t in_use = 0;                   ///< the byte that every process which has the file open has locked
constexpr std::int64_t first_lock = 1;               ///< the byte of lock number 0
constexpr std::int64_t turn = std::int64_t{1} << 62; ///< the byte of turns

int set_lock(int descriptor, std::int64_t byte, short type) { return set_file_lock(descriptor, type, byte, 1); }

/// The folder of this user's locks, which no other user may have made.
Result<std::filesystem::path> lock_folder() {
    std::filesystem::path folder = fmt::format("/tmp/isovmaf-{}", geteuid());
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return file_failed("make", folder, errno);
    FileStatus status{};
    if (lstat(folder.c_str(), &status) != 0)
        return file_failed("open", folder, errno);
    if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid())
        return fail(ErrorCode::io, fmt::format("{} belongs to another user, or is no folder: isovmaf keeps the "
                                               "locks of batches there, so it has to be removed",
                                               folder.string()));
    return folder;
}

/// Opens the file and shows that it is in use; nothing when the last process of it removed it just then.
Result<int> open_in_use(const std::filesystem::path &path) {
    const int descriptor = retry([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600); });
    if (descriptor == -1)
        return file_failed("make", path, errno);
    FileStatus status{};
    const int error = set_lock(descriptor, in_use, F_RDLCK);
    if (error == 0 && fstat(descriptor, &status) == 0 && status.st_nlink > 0)
        return descriptor;
    close(descriptor);
    if (error == 0 || error == EAGAIN)
        return -1;
    return file_failed("lock", path, error);
}

/// Removes files that processes left which were killed.
void remove_unused(const std::filesystem::path &folder) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const int descriptor = ::open(entry->path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (descriptor == -1)
            continue;
        if (set_lock(descriptor, in_use, F_WRLCK) == 0)
            unlink(entry->path().c_str());
        close(descriptor);
    }
}

} // namespace

Result<std::unique_ptr<LockFile>> LockFile::open(const std::filesystem::path &run_folder, const std::string &purpose) {
    FileStatus status{};
    if (stat(run_folder.c_str(), &status) != 0)
        return file_failed("open", run_folder, errno);
    const std::string name =
        fmt::format("{:x}-{:x}-{:016x}.lock", status.st_dev, status.st_ino, xxh64(std::as_bytes(std::span(purpose))));
    const std::filesystem::path folder = TRY(lock_folder()), path = folder / name;
    remove_unused(folder);
    for (;;)
        if (const int descriptor = TRY(open_in_use(path)); descriptor != -1)
            return std::unique_ptr<LockFile>(new LockFile(path, descriptor));
}

/// In a turn that ends with the descriptor: two processes that end at the same time would each find the other.
LockFile::~LockFile() {
    (void)set_file_lock(descriptor_, F_WRLCK, turn, 1, true);
    if (set_lock(descriptor_, in_use, F_WRLCK) == 0) // nobody else has the file
        unlink(path_.c_str());
    close(descriptor_);
}

// Where a lock cannot be had, for want of memory in the kernel, it is as well as without turns.
LockFile::Turn::Turn(LockFile &file) : file_(file) { (void)set_file_lock(file_.descriptor_, F_WRLCK, turn, 1, true); }

LockFile::Turn::~Turn() { (void)set_lock(file_.descriptor_, turn, F_UNLCK); }

Result<bool> LockFile::try_lock(std::int64_t number, Mode mode) {
    const int error = set_lock(descriptor_, first_lock + number, mode == Mode::shared ? F_RDLCK : F_WRLCK);
    if (error == 0 || error == EAGAIN)
        return error == 0;
    return file_failed("lock", path_, error);
}

void LockFile::unlock(std::int64_t number) { (void)set_lock(descriptor_, first_lock + number, F_UNLCK); }

/// The system names any lock in the range, not the first one.
std::int64_t LockFile::count_elsewhere(std::int64_t first, std::int64_t end) const {
    if (first >= end)
        return 0;
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = first_lock + first;
    lock.l_len = end - first;
    if (fcntl(descriptor_, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
        return 0;
    const std::int64_t found = std::max(first, std::int64_t{lock.l_start} - first_lock);
    const std::int64_t found_end = std::min(end, std::int64_t{lock.l_start} - first_lock + lock.l_len);
    return count_elsewhere(first, found) + found_end - found + count_elsewhere(found_end, end);
}

void LockFile::mark(std::int64_t number, std::uint8_t value) {
    // Without the mark, others do a unit again: no more than that can come of a failure.
    [[maybe_unused]] const ssize_t written = pwrite(descriptor_, &value, 1, first_lock + number);
}

std::uint8_t LockFile::mark_of(std::int64_t number) const {
    std::uint8_t value = 0;
    return pread(descriptor_, &value, 1, first_lock + number) == 1 ? value : 0;
}

} // namespace isovmaf::batch
