// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/inputs/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/file_io.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

Result<InputFile> InputFile::open(const std::string &path) {
    if (is_url(path))
        return InputFile(path, -1, TRY(UrlFile::open(path)));
    const int descriptor = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (descriptor == -1)
        return file_failed("open", path, errno);
    return InputFile(path, descriptor, std::nullopt);
}

InputFile::~InputFile() {
    if (descriptor_ != -1)
        close(descriptor_);
}

InputFile::InputFile(InputFile &&other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), url_(std::move(other.url_)) {}

Result<std::size_t> InputFile::read(std::int64_t offset, std::span<std::byte> buffer) {
    if (url_)
        return url_->read(offset, buffer);
    const ssize_t count = retry([&] { return pread(descriptor_, buffer.data(), buffer.size(), offset); });
    if (count == -1)
        return file_failed("read", path_, errno);
    return static_cast<std::size_t>(count);
}

Result<void> InputFile::add(std::int64_t offset, std::int64_t bytes, ContentHash &hash) {
    constexpr std::int64_t block = 1 << 18; // stays in a processor's cache until it is hashed
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::clamp<std::int64_t>(bytes, 1, block)));
    while (bytes > 0) {
        const auto most = static_cast<std::size_t>(std::min(bytes, block));
        const std::size_t count = TRY(read(offset, std::span(buffer).first(most)));
        if (count == 0)
            return {};
        hash.add(std::span(buffer).first(count));
        offset += static_cast<std::int64_t>(count);
        bytes -= static_cast<std::int64_t>(count);
    }
    return {};
}

} // namespace isovmaf::batch
