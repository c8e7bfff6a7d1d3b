// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/failure.hpp"
#include "base/text.hpp"
#include "report/report.hpp"
#include "stored/stored_builder.hpp"

namespace isovmaf {

namespace {

/// Splits CSV into records and fields. A quoted field may hold any character.
class CsvText {
  public:
    explicit CsvText(std::string_view text) : text_(text) {}

    [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
    [[nodiscard]] std::string place() const { return line_of(text_, start_); }

    /// The next record. libvmaf ends each record with a comma; isovmaf ends none so.
    std::vector<std::string> record() {
        start_ = position_;
        std::vector<std::string> fields;
        do
            fields.push_back(field());
        while (take(','));
        take('\r');
        if (!take('\n') && !at_end())
            refuse("something stands between a quotation mark and the next comma");
        return fields;
    }

  private:
    bool take(char c) {
        if (at_end() || text_[position_] != c)
            return false;
        position_++;
        return true;
    }

    std::string field() {
        if (take('"'))
            return quoted();
        const std::size_t end = std::min(text_.find_first_of(",\r\n", position_), text_.size());
        const std::string_view field = text_.substr(position_, end - position_);
        position_ = end;
        return std::string(field);
    }

    std::string quoted() {
        std::string field;
        while (!at_end()) {
            const char c = text_[position_++];
            if (c == '"' && !take('"'))
                return field;
            field += c;
        }
        refuse("a quotation mark is not closed");
    }

    std::string_view text_;
    std::size_t position_ = 0, start_ = 0;
};

void read_header(const std::vector<std::string> &header) {
    if (header.empty() || header.front() != "Frame")
        refuse("the first column must be Frame");
    std::set<std::string> names;
    for (const std::string &name : header)
        if (!names.insert(name).second)
            refuse(fmt::format("there are two columns {}", quote(name)));
}

void read_record(const std::vector<std::string> &header, const std::vector<std::string> &record,
                 StoredBuilder &builder) {
    const std::optional<std::int64_t> number = parse_integer(record.empty() ? "" : record.front());
    if (!number)
        refuse("the first field must be the number of a frame");
    // libvmaf leaves out fields that were not computed, so the columns of a shorter record are unknown.
    if (record.size() != header.size())
        refuse(fmt::format("there are {} fields for {} columns", record.size(), header.size()));
    builder.frame(*number);
    for (std::size_t i = 1; i < header.size(); i++)
        if (header[i] != csv_time_column && !record[i].empty()) // a score that is missing
            builder.score(header[i], record[i]);
}

void read_records(CsvText &csv, StoredBuilder &builder) {
    std::vector<std::string> header = csv.record();
    const bool closed_by_commas = header.back().empty();
    if (closed_by_commas)
        header.pop_back();
    read_header(header);
    while (!csv.at_end()) {
        std::vector<std::string> record = csv.record();
        if (closed_by_commas && record.back().empty())
            record.pop_back();
        if (!record.empty() && record.front().starts_with("# incomplete"))
            builder.report.incomplete = true;
        else
            read_record(header, record, builder);
    }
}

} // namespace

void read_csv(std::string_view text, StoredBuilder &builder) {
    CsvText csv(text);
    try {
        read_records(csv, builder);
    } catch (const Failure &failure) {
        refuse(fmt::format("{}: {}", csv.place(), failure.what()));
    }
}

} // namespace isovmaf
