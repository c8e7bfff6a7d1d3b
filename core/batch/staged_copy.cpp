// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/staged_copy.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "base/try.hpp"
#include "base/write_all.hpp"
#include "batch/files.hpp"

namespace isovmaf::batch {

namespace {

/// A file descriptor that is closed at the end.
struct Descriptor {
    int number;

    explicit Descriptor(int opened) : number(opened) {}
    ~Descriptor() {
        if (number != -1)
            close(number);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
};

bool is_full(int error) { return error == ENOSPC || error == EDQUOT; }

} // namespace

Result<CopiedFile> copy_input(const InputRecord &seen, const std::filesystem::path &path,
                              const std::function<bool()> &stop) {
    const Descriptor from(retry([&] { return open(seen.path.c_str(), O_RDONLY | O_CLOEXEC); }));
    if (from.number == -1)
        return file_failed("open", seen.path, errno);
    std::error_code error;
    std::filesystem::create_directory(path.parent_path(), error);
    const Descriptor to(retry([&] { return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); }));
    if (to.number == -1)
        return is_full(errno) ? Result<CopiedFile>(CopiedFile{{}, true}) : file_failed("stage", path, errno);
    Sha256 hash;
    std::vector<std::byte> buffer(1 << 20);
    for (;;) {
        if (stop())
            return fail(ErrorCode::interrupted, fmt::format("the copying of {} was interrupted", seen.path));
        const ssize_t count = retry([&] { return read(from.number, buffer.data(), buffer.size()); });
        if (count == -1)
            return file_failed("read", seen.path, errno);
        if (count == 0)
            break;
        const auto bytes = std::span(buffer).first(static_cast<std::size_t>(count));
        hash.add(bytes);
        if (const int code = write_all(to.number, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}); code)
            return is_full(code) ? Result<CopiedFile>(CopiedFile{{}, true}) : file_failed("stage", path, code);
    }
    if (!looks_like(TRY(look_at(seen.path)), seen))
        return fail(ErrorCode::io, fmt::format("{} changed while it was read", seen.path));
    return CopiedFile{content_digest(std::move(hash))};
}

} // namespace isovmaf::batch
