// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/staged_copy.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <span>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/try.hpp"
#include "base/write_all.hpp"
#include "batch/inputs/input_file.hpp"
#include "batch/store/files.hpp"

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
    InputFile from = TRY(InputFile::open(seen.path));
    std::error_code error;
    std::filesystem::create_directory(path.parent_path(), error);
    const Descriptor to(retry([&] { return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); }));
    if (to.number == -1)
        return is_full(errno) ? Result<CopiedFile>(CopiedFile{{}, true}) : file_failed("stage", path, errno);
    ContentHash hash;
    std::vector<std::byte> buffer(1 << 20);
    for (std::int64_t offset = 0;;) {
        if (stop())
            return fail(ErrorCode::interrupted, fmt::format("the copying of {} was interrupted", seen.path));
        const auto bytes = std::span(buffer).first(TRY(from.read(offset, buffer)));
        if (bytes.empty())
            break;
        offset += static_cast<std::int64_t>(bytes.size());
        hash.add(bytes);
        if (const int code = write_all(to.number, {reinterpret_cast<const char *>(bytes.data()), bytes.size()}); code)
            return is_full(code) ? Result<CopiedFile>(CopiedFile{{}, true}) : file_failed("stage", path, code);
    }
    if (!looks_like(TRY(look_at(seen.path)), seen))
        return fail(ErrorCode::io, fmt::format("{} changed while it was read", seen.path));
    return CopiedFile{content_digest(hash)};
}

} // namespace isovmaf::batch
