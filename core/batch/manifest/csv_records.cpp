// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/csv_records.hpp"

#include <string_view>

namespace isovmaf::batch {

namespace {

constexpr int end_of_stream = std::istream::traits_type::eof();

} // namespace

int CsvRecords::take() {
    const int c = stream_.get();
    if (c == '\n')
        line_++;
    return c;
}

void CsvRecords::skip_line() {
    for (int c = take(); c != '\n' && c != end_of_stream;)
        c = take();
}

/// The rest of a field behind its opening quotation mark, with the closing one.
void CsvRecords::read_quoted(CsvRecord &record, std::size_t &bytes) {
    for (;;) {
        const int c = take();
        if (c == end_of_stream) {
            record.problem = "a quotation mark is not closed";
            return;
        }
        if (c == '"' && stream_.peek() != '"')
            return;
        if (c == '"')
            take();
        record.fields.back() += static_cast<char>(c);
        if (++bytes > longest_record) {
            record.problem = "the record is too long; is a quotation mark not closed?";
            skip_line();
            return;
        }
    }
}

void CsvRecords::read_record(CsvRecord &record) {
    std::size_t bytes = 0;
    bool quoted = false;
    record.fields.emplace_back();
    for (;;) {
        const int c = take();
        if (c == '\n' || c == end_of_stream)
            return;
        if (c == '\r' && stream_.peek() == '\n')
            continue;
        if (c == ',') {
            record.fields.emplace_back();
            quoted = false;
        } else if (c == '"' && record.fields.back().empty() && !quoted) {
            quoted = true;
            read_quoted(record, bytes);
        } else if (quoted) {
            record.problem = "something stands between a quotation mark and the next comma";
            skip_line();
        } else {
            record.fields.back() += static_cast<char>(c);
            if (++bytes > longest_record) {
                record.problem = "the record is too long";
                skip_line();
            }
        }
        if (!record.problem.empty())
            return;
    }
}

std::optional<CsvRecord> CsvRecords::next() {
    if (!started_) {
        started_ = true;
        for (const int byte : {0xef, 0xbb, 0xbf}) // a byte order mark
            if (stream_.peek() == byte)
                stream_.get();
    }
    while (stream_.peek() == '\n' || stream_.peek() == '\r')
        take();
    if (stream_.peek() == end_of_stream)
        return std::nullopt;
    CsvRecord record{line_, {}};
    read_record(record);
    return record;
}

} // namespace isovmaf::batch
