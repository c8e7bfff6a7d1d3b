// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/file_io.hpp"

#include <array>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace isovmaf {

PendingFile::PendingFile(PendingFile &&other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), temporary_(std::exchange(other.temporary_, {})) {}

PendingFile &PendingFile::operator=(PendingFile &&other) noexcept {
    if (this != &other) {
        abandon();
        descriptor_ = std::exchange(other.descriptor_, -1);
        temporary_ = std::exchange(other.temporary_, {});
    }
    return *this;
}

int PendingFile::write(std::string_view text) const { return write_all(descriptor_, text); }

int PendingFile::complete() {
    if (!is_open())
        return 0;
    if (is_temporary() && retry([&] { return fsync(descriptor_); }) != 0)
        return errno;
    // close releases the descriptor even when it fails, also with EINTR, so it is never called again.
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
        return errno;
    return 0;
}

int PendingFile::commit(const std::string &path) {
    if (const int error = complete(); error != 0)
        return error;
    if (is_temporary() && std::rename(temporary_.c_str(), path.c_str()) != 0)
        return errno;
    temporary_.clear();
    return 0;
}

void PendingFile::abandon() {
    if (descriptor_ != -1)
        close(std::exchange(descriptor_, -1));
    if (!temporary_.empty())
        unlink(std::exchange(temporary_, {}).c_str());
}

int read_whole_file(const std::string &path, std::string &text, std::size_t most) {
    const int descriptor = retry([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (descriptor == -1)
        return errno;
    text.clear();
    std::array<char, 1 << 16> block;
    ssize_t got = 0;
    while (text.size() <= most && (got = retry([&] { return read(descriptor, block.data(), block.size()); })) > 0)
        text.append(block.data(), static_cast<std::size_t>(got));
    const int error = got < 0 ? errno : 0;
    close(descriptor);
    return error;
}

int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = retry([&] { return write(descriptor, text.data(), text.size()); });
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) { // a full pipe in non-blocking mode
            pollfd pipe{.fd = descriptor, .events = POLLOUT, .revents = 0};
            poll(&pipe, 1, -1);
        } else {
            return errno;
        }
    }
    return 0;
}

int write_all_at(int descriptor, std::span<const std::byte> bytes, std::int64_t offset) {
    while (!bytes.empty()) {
        const ssize_t written = retry([&] { return pwrite(descriptor, bytes.data(), bytes.size(), offset); });
        if (written < 0)
            return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += written;
    }
    return 0;
}

int set_file_lock(int descriptor, short type, std::int64_t byte, std::int64_t bytes, bool wait) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = byte;
    lock.l_len = bytes;
    if (retry([&] { return fcntl(descriptor, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock); }) == 0)
        return 0;
    return errno == EACCES ? EAGAIN : errno;
}

} // namespace isovmaf
