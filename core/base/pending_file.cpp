// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "base/pending_file.hpp"

#include <cerrno>
#include <cstdio>

#include <unistd.h>

#include "base/write_all.hpp"

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

int PendingFile::commit(const std::string &path) {
    if (is_temporary() && retry([&] { return fsync(descriptor_); }) != 0)
        return errno;
    // close releases the descriptor even when it fails, also with EINTR, so it is never called again.
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
        return errno;
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

} // namespace isovmaf
