// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace isovmaf {

/// An open file that takes its name when all of it is on disk: readers of the name see the old file or the whole new
/// one. Without `temporary`, what is written has its name already, as a pipe has. Functions return 0 or an errno.
class PendingFile {
  public:
    PendingFile() = default;
    PendingFile(int descriptor, std::string temporary) : descriptor_(descriptor), temporary_(std::move(temporary)) {}
    ~PendingFile() { abandon(); } ///< removes what was not committed
    PendingFile(PendingFile &&other) noexcept;
    PendingFile &operator=(PendingFile &&other) noexcept;

    [[nodiscard]] bool is_open() const { return descriptor_ != -1; }
    [[nodiscard]] bool is_temporary() const { return !temporary_.empty(); }

    [[nodiscard]] int write(std::string_view text) const;

    /// Puts the text on disk and closes the file, which keeps its temporary name: `commit` only renames it then.
    [[nodiscard]] int complete();

    /// Completes the file, and renames it to `path`.
    [[nodiscard]] int commit(const std::string &path);

    /// Closes the file and removes it where it has a temporary name.
    void abandon();

  private:
    int descriptor_ = -1;
    std::string temporary_;
};

/// Calls a function again as long as a signal interrupts it: -1 and EINTR.
template <class Call>
auto retry(Call call) {
    auto result = call();
    while (result == -1 && errno == EINTR)
        result = call();
    return result;
}

/// Reads a file into `text`; stops when that has more than `most` bytes. Returns 0, or the errno with which opening or
/// reading failed.
[[nodiscard]] int read_whole_file(const std::string &path, std::string &text,
                                  std::size_t most = std::numeric_limits<std::size_t>::max());

/// Writes the whole text to a file descriptor; waits while a pipe in non-blocking mode is full. Returns 0, or the errno
/// of the write that failed.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

/// Writes all bytes to a file from `offset` on. Any threads may write to one descriptor at the same time. Returns 0, or
/// the errno of the write that failed.
[[nodiscard]] int write_all_at(int descriptor, std::span<const std::byte> bytes, std::int64_t offset);

/// Takes, changes or ends (F_RDLCK, F_WRLCK, F_UNLCK) the lock of bytes of an open file; 0 bytes: to the end. The lock
/// belongs to the open file (F_OFD_SETLK): one of F_SETLK would end with any descriptor of the process for the file.
/// The kernel ends it with the process. Returns 0, EAGAIN when another open file has the lock, or another errno. With
/// `wait` it waits until no other open file has the lock.
[[nodiscard]] int set_file_lock(int descriptor, short type, std::int64_t byte, std::int64_t bytes, bool wait = false);

} // namespace isovmaf
