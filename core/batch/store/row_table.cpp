// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/store/row_table.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::size_t shard_line = 21; ///< bytes of a line in the head of a file of shards: digits and a line feed

} // namespace

std::string shard_prefix(const Shard &shard) {
    return shard.is_whole() ? "" : fmt::format("shard-{}-of-{}.", shard.index, shard.count);
}

/// Finds the lines of these bytes of the file.
Result<void> RowTable::find_rows(std::uint64_t begin, std::uint64_t end) {
    constexpr std::uint64_t bytes_at_a_time = 1 << 18;
    starts_ = {begin};
    for (std::uint64_t position = begin; position < end;) {
        std::string piece = TRY(file_.read_whole(position, std::min(bytes_at_a_time, end - position)));
        for (std::size_t i = piece.find('\n'); i != std::string::npos; i = piece.find('\n', i + 1))
            starts_.push_back(position + i + 1);
        position += piece.size();
        if (piece.size() == end - begin)
            text_ = std::move(piece);
    }
    return {};
}

Result<RowTable> RowTable::open(const std::filesystem::path &path) {
    RowTable table(TRY(OpenFile::open(path)));
    TRY(table.find_rows(0, TRY(table.file_.size())));
    return table;
}

Result<RowTable> RowTable::open(const std::filesystem::path &path, const Shard &shard) {
    RowTable table(TRY(OpenFile::open(path)));
    const std::string lines = TRY(table.file_.read(shard.index * shard_line, 2 * shard_line));
    const auto number = [&](std::size_t line) {
        return parse_integer(lines.size() == 2 * shard_line ? lines.substr(line * shard_line, shard_line - 1) : "");
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

/// The lines of rows from `first` on, up to the one before `end`.
Result<std::string> RowTable::text_of(std::size_t first, std::size_t end) const {
    const std::size_t bytes = starts_[end] - starts_[first];
    if (!text_.empty())
        return text_.substr(starts_[first] - starts_.front(), bytes);
    return file_.read_whole(starts_[first], bytes);
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
