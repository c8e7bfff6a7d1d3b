// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/row.hpp"

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/file_io.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

Result<std::string> encode_row(const Row &row) {
    nlohmann::ordered_json json{{"line", row.line}, {"reference", row.reference}, {"distorted", row.distorted}};
    if (!row.label.empty())
        json["label"] = row.label;
    if (row.bit_rate)
        json["bit_rate"] = *row.bit_rate;
    if (!row.options.empty())
        json["options"] = row.options;
    if (row.frames)
        json["frames"] = *row.frames;
    if (!row.problem.empty())
        json["problem"] = row.problem;
    using ErrorHandler = nlohmann::json::error_handler_t;
    try {
        return json.dump(-1, ' ', false, row.problem.empty() ? ErrorHandler::strict : ErrorHandler::replace);
    } catch (const nlohmann::json::exception &) {
        return fail(ErrorCode::corrupt_data, "the row holds text that is no UTF-8");
    }
}

Result<Row> decode_row(std::string_view text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        Row row{json.at("line"), json.at("reference"), json.at("distorted")};
        row.label = json.value("label", "");
        if (json.contains("bit_rate"))
            row.bit_rate = json.at("bit_rate").get<double>();
        if (json.contains("options"))
            row.options = json.at("options").get<Fields>();
        if (json.contains("frames"))
            row.frames = json.at("frames").get<std::int64_t>();
        row.problem = json.value("problem", "");
        return row;
    } catch (const nlohmann::json::exception &error) {
        return fail(ErrorCode::corrupt_data, fmt::format("a row of the run folder cannot be read: {}", error.what()));
    }
}

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

namespace {

constexpr std::string_view reference_mark = "{reference}", distorted_mark = "{distorted}";

} // namespace

/// The longer path first: the other may be a part of it.
std::string hide_names(std::string message, const std::string &reference, const std::string &distorted) {
    return reference.size() > distorted.size()
               ? replace_all(replace_all(std::move(message), reference, reference_mark), distorted, distorted_mark)
               : replace_all(replace_all(std::move(message), distorted, distorted_mark), reference, reference_mark);
}

std::string show_names(std::string message, const Row &row) {
    return replace_all(replace_all(std::move(message), reference_mark, row.reference), distorted_mark, row.distorted);
}

} // namespace isovmaf::batch
