// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace isovmaf::batch {

/// The longest record of a manifest, in bytes. This limit bounds the memory of readers.
inline constexpr std::size_t longest_record = std::size_t{1} << 20;

/// One record of CSV.
struct CsvRecord {
    std::int64_t line = 0; ///< on which it starts, from 1
    std::vector<std::string> fields;
    std::string problem = {}; ///< why it is no record; empty otherwise
};

/// Reads CSV (RFC 4180; line feeds alone and a byte order mark are allowed) record by record. Empty lines are passed
/// over. A record with a problem is read to the end of its line, so that the next one can be read.
class CsvRecords {
  public:
    explicit CsvRecords(std::istream &stream) : stream_(stream) {}

    /// The next record, or nothing at the end.
    [[nodiscard]] std::optional<CsvRecord> next();

  private:
    void read_record(CsvRecord &record);
    void read_quoted(CsvRecord &record, std::size_t &bytes);
    int take();
    void skip_line();

    std::istream &stream_;
    std::int64_t line_ = 1;
    bool started_ = false;
};

} // namespace isovmaf::batch
