// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/manifest.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/nearest_name.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "batch/manifest/csv_records.hpp"

namespace isovmaf::batch {

namespace {

/// Why a row cannot have this column; empty when it can.
std::string column_problem(const std::string &name, const ManifestColumns &columns) {
    if (name == "reference" || name == "distorted" || columns.known.contains(name))
        return {};
    std::vector<std::string> known{"reference", "distorted"};
    known.insert(known.end(), columns.known.begin(), columns.known.end());
    return fmt::format("there is no column {}{}; there are {}", quote(name), did_you_mean(name, known),
                       fmt::join(known, ", "));
}

/// What parts the columns in place of commas; empty when nothing does.
std::string_view other_separator(const std::vector<std::string> &header) {
    if (header.size() != 1)
        return {};
    return header.front().find('\t') != std::string::npos  ? "tabs"
           : header.front().find(';') != std::string::npos ? "semicolons"
                                                           : "";
}

tl::unexpected<Error> reading_failed(const std::string &name) {
    return fail(ErrorCode::io, fmt::format("manifest {} cannot be read to its end", name));
}

void split_at_semicolons(const std::string &text, std::vector<std::string> &values) {
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(';', start), text.size());
        if (end > start)
            values.push_back(text.substr(start, end - start));
        start = end + 1;
    }
}

class CsvManifest final : public ManifestReader {
  public:
    CsvManifest(std::unique_ptr<std::istream> stream, std::string name, const ManifestColumns &columns)
        : stream_(std::move(stream)), name_(std::move(name)), columns_(columns), records_(*stream_) {}

    Result<void> read_header() {
        const std::optional<CsvRecord> record = records_.next();
        if (!record)
            return fail(ErrorCode::corrupt_data, fmt::format("manifest {} is empty", name_));
        header_ = record->fields;
        std::string problem = record->problem;
        if (const std::string_view separator = other_separator(header_); problem.empty() && !separator.empty())
            problem = fmt::format("{} part its columns: a manifest has commas", separator);
        std::set<std::string> names;
        for (const std::string &column : header_) {
            if (problem.empty())
                problem = column_problem(column, columns_);
            if (!names.insert(column).second && problem.empty())
                problem = fmt::format("there are two columns {}", quote(column));
        }
        if (problem.empty() && (!names.contains("reference") || !names.contains("distorted")))
            problem = "the first line has to name the columns, and reference and distorted have to be among them";
        if (!problem.empty())
            return fail(ErrorCode::corrupt_data, fmt::format("manifest {}, line {}: {}", name_, record->line, problem));
        return {};
    }

    Result<std::optional<ManifestRow>> next() override {
        const std::optional<CsvRecord> record = records_.next();
        if (stream_->bad())
            return reading_failed(name_);
        if (!record)
            return std::nullopt;
        ManifestRow row{record->line, {}, record->problem};
        if (row.problem.empty() && record->fields.size() != header_.size())
            row.problem = fmt::format("there are {} fields for {} columns", record->fields.size(), header_.size());
        for (std::size_t i = 0; row.problem.empty() && i < header_.size(); i++)
            add_field(header_[i], record->fields[i], row.fields);
        return row;
    }

  private:
    void add_field(const std::string &column, const std::string &text, Fields &fields) const {
        if (text.empty())
            return;
        if (columns_.lists.contains(column))
            split_at_semicolons(text, fields[column]);
        else
            fields[column] = {text};
    }

    std::unique_ptr<std::istream> stream_;
    std::string name_;
    const ManifestColumns &columns_;
    CsvRecords records_;
    std::vector<std::string> header_;
};

class JsonManifest final : public ManifestReader {
  public:
    JsonManifest(std::unique_ptr<std::istream> stream, std::string name, const ManifestColumns &columns)
        : stream_(std::move(stream)), name_(std::move(name)), columns_(columns) {}

    Result<std::optional<ManifestRow>> next() override {
        std::string text, problem;
        do {
            line_++;
            if (!read_line(text, problem))
                return stream_->bad() ? Result<std::optional<ManifestRow>>(reading_failed(name_)) : std::nullopt;
        } while (text.find_first_not_of(" \t\r") == std::string::npos && problem.empty());
        ManifestRow row{line_, {}, problem};
        if (problem.empty())
            parse(text, row);
        return row;
    }

  private:
    /// False at the end.
    bool read_line(std::string &text, std::string &problem) {
        text.clear();
        int c = stream_->get();
        if (c == std::istream::traits_type::eof())
            return false;
        for (; c != '\n' && c != std::istream::traits_type::eof(); c = stream_->get())
            if (text.size() < longest_record)
                text += static_cast<char>(c);
            else
                problem = "the line is too long";
        return true;
    }

    void parse(const std::string &text, ManifestRow &row) const {
        const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
        if (json.is_discarded() || !json.is_object()) {
            row.problem = "the line is no JSON object";
            return;
        }
        for (const auto &[column, value] : json.items()) {
            row.problem = column_problem(column, columns_);
            if (row.problem.empty())
                add_field(column, value, row);
            if (!row.problem.empty())
                return;
        }
    }

    void add_field(const std::string &column, const nlohmann::json &value, ManifestRow &row) const {
        if (value.is_null())
            return;
        if (value.is_array() && !columns_.lists.contains(column)) {
            row.problem = fmt::format("{} takes one value, not a list", column);
            return;
        }
        for (const nlohmann::json &one : value.is_array() ? value : nlohmann::json::array({value})) {
            if (one.is_structured() || one.is_null()) {
                row.problem = fmt::format("{} takes a text, a number or a boolean", column);
                return;
            }
            const std::string text = one.is_string() ? one.get<std::string>() : one.dump();
            if (!text.empty())
                row.fields[column].push_back(text);
        }
    }

    std::unique_ptr<std::istream> stream_;
    std::string name_;
    const ManifestColumns &columns_;
    std::int64_t line_ = 0;
};

} // namespace

Result<std::unique_ptr<ManifestReader>> read_manifest(std::unique_ptr<std::istream> stream, const std::string &name,
                                                      const ManifestColumns &columns) {
    if (stream->peek() == '{')
        return std::make_unique<JsonManifest>(std::move(stream), name, columns);
    auto csv = std::make_unique<CsvManifest>(std::move(stream), name, columns);
    TRY(csv->read_header());
    return csv;
}

Result<std::unique_ptr<ManifestReader>> open_manifest(const std::string &path, const ManifestColumns &columns) {
    errno = 0;
    auto stream = std::make_unique<std::ifstream>(path, std::ios::binary);
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(path, ignored);
    if (!*stream || folder)
        return fail(errno == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                    fmt::format("cannot open manifest {}: {}", escape_controls(path),
                                folder ? "it is a directory" : std::generic_category().message(errno)));
    return read_manifest(std::move(stream), escape_controls(path), columns);
}

} // namespace isovmaf::batch
