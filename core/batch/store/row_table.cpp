// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/row_table.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::size_t shard_line = 21; ///< bytes of a line in the head of a file of shards: digits and a line feed

} // namespace

std::string shard_prefix(const Shard &shard) {
    return shard.is_whole() ? "" : fmt::format("shard-{}-of-{}.", shard.index, shard.count);
}

Result<void> RowTable::open_file() {
    descriptor_ = retry([&] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC); });
    return descriptor_ == -1 ? file_failed("open", path_, errno) : Result<void>();
}

/// Finds the lines of these bytes of the file.
Result<void> RowTable::find_rows(std::uint64_t begin, std::uint64_t end) {
    std::vector<char> buffer(std::clamp<std::uint64_t>(end - begin, 1, 1 << 18));
    starts_ = {begin};
    for (std::uint64_t position = begin; position < end;) {
        const std::size_t most = std::min<std::uint64_t>(buffer.size(), end - position);
        const ssize_t count =
            retry([&] { return pread(descriptor_, buffer.data(), most, static_cast<off_t>(position)); });
        if (count <= 0)
            return file_failed("read", path_, count == -1 ? errno : EIO);
        if (end - begin <= buffer.size())
            text_.append(buffer.data(), static_cast<std::size_t>(count));
        for (ssize_t i = 0; i < count; i++, position++)
            if (buffer[static_cast<std::size_t>(i)] == '\n')
                starts_.push_back(position + 1);
    }
    return {};
}

Result<RowTable> RowTable::open(const std::filesystem::path &path) {
    RowTable table(path);
    TRY(table.open_file());
    const off_t end = lseek(table.descriptor_, 0, SEEK_END);
    if (end == -1)
        return file_failed("read", path, errno);
    TRY(table.find_rows(0, static_cast<std::uint64_t>(end)));
    return table;
}

Result<RowTable> RowTable::open(const std::filesystem::path &path, const Shard &shard) {
    RowTable table(path);
    TRY(table.open_file());
    std::array<char, 2 * shard_line> text{};
    const ssize_t count = retry([&] {
        return pread(table.descriptor_, text.data(), text.size(), static_cast<off_t>(shard.index * shard_line));
    });
    if (count == -1)
        return file_failed("read", path, errno);
    const auto number = [&](std::size_t line) {
        const std::string_view lines(text.data(), static_cast<std::size_t>(count));
        return parse_integer(lines.size() == text.size() ? lines.substr(line * shard_line, shard_line - 1) : "");
    };
    const std::optional<std::int64_t> begin = number(0), end = number(1);
    if (!begin || !end || *begin < 0 || *begin > *end)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{} cannot be read: run isovmaf batch prepare again", escape_controls(path.string())));
    TRY(table.find_rows(static_cast<std::uint64_t>(*begin), static_cast<std::uint64_t>(*end)));
    return table;
}

Result<void> write_shards(const std::filesystem::path &path, std::span<const std::string> shards) {
    NewFile file = TRY(NewFile::create(path));
    std::uint64_t start = (shards.size() + 1) * shard_line;
    const auto write_start = [&] { return file.write(fmt::format("{:0{}}\n", start, shard_line - 1)); };
    TRY(write_start());
    for (const std::string &rows : shards) {
        start += rows.size();
        TRY(write_start());
    }
    for (const std::string &rows : shards)
        TRY(file.write(rows));
    return file.commit();
}

RowTable::RowTable(RowTable &&other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)),
      starts_(std::move(other.starts_)), text_(std::move(other.text_)) {}

RowTable::~RowTable() {
    if (descriptor_ != -1)
        close(descriptor_);
}

/// The lines of rows from `first` on, up to the one before `end`.
Result<std::string> RowTable::text_of(std::size_t first, std::size_t end) const {
    const std::size_t bytes = starts_[end] - starts_[first];
    if (!text_.empty())
        return text_.substr(starts_[first] - starts_.front(), bytes);
    std::string text(bytes, '\0');
    const ssize_t count =
        retry([&] { return pread(descriptor_, text.data(), text.size(), static_cast<off_t>(starts_[first])); });
    if (count != static_cast<ssize_t>(text.size()))
        return file_failed("read", path_, count == -1 ? errno : EIO);
    return text;
}

Result<Row> RowTable::row(std::size_t index) const { return decode_row(TRY(text_of(index, index + 1))); }

Result<void> RowTable::visit(const std::function<Result<void>(std::size_t, const Row &)> &visitor) const {
    constexpr std::uint64_t bytes_at_a_time = 1 << 16;
    for (std::size_t first = 0, end = 0; first < size(); first = end) {
        for (end = first + 1; end < size() && starts_[end + 1] - starts_[first] <= bytes_at_a_time;)
            end++;
        const std::string text = TRY(text_of(first, end));
        for (std::size_t i = first; i < end; i++)
            TRY(visitor(i, TRY(decode_row(std::string_view(text).substr(starts_[i] - starts_[first],
                                                                        starts_[i + 1] - starts_[i])))));
    }
    return {};
}

} // namespace isovmaf::batch
