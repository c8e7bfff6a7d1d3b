// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/row_table.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/file_io.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

Result<RowTable> RowTable::open(const std::filesystem::path &path) {
    RowTable table(path);
    table.descriptor_ = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (table.descriptor_ == -1)
        return file_failed("open", path, errno);
    std::array<char, 1 << 16> buffer{};
    std::uint64_t position = 0;
    for (;;) {
        const ssize_t count = retry([&] { return read(table.descriptor_, buffer.data(), buffer.size()); });
        if (count == -1)
            return file_failed("read", path, errno);
        if (count == 0)
            return table;
        for (ssize_t i = 0; i < count; i++, position++)
            if (buffer[static_cast<std::size_t>(i)] == '\n')
                table.starts_.push_back(position + 1);
    }
}

RowTable::RowTable(RowTable &&other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)),
      starts_(std::move(other.starts_)) {}

RowTable::~RowTable() {
    if (descriptor_ != -1)
        close(descriptor_);
}

Result<Row> RowTable::row(std::size_t index) const {
    std::string text(starts_[index + 1] - starts_[index], '\0');
    const ssize_t count =
        retry([&] { return pread(descriptor_, text.data(), text.size(), static_cast<off_t>(starts_[index])); });
    if (count != static_cast<ssize_t>(text.size()))
        return file_failed("read", path_, count == -1 ? errno : EIO);
    return decode_row(text);
}

} // namespace isovmaf::batch
