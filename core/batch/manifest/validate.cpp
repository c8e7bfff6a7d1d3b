// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/manifest/validate.hpp"

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/hashes.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
#include "request/pair_job.hpp"

namespace isovmaf::batch {

namespace {

/// Takes a field out of `fields`; empty when there is none.
std::string take(Fields &fields, const std::string &name) {
    auto field = fields.extract(name);
    return field.empty() ? "" : std::move(field.mapped().front());
}

Row row_of(ManifestRow read, const Fields &defaults) {
    Row row{read.line, take(read.fields, "reference"), take(read.fields, "distorted")};
    row.problem = std::move(read.problem);
    row.label = take(read.fields, "label");
    const std::string bit_rate = take(read.fields, "bit_rate");
    row.bit_rate = parse_double(bit_rate);
    row.options = std::move(read.fields);
    row.options.insert(defaults.begin(), defaults.end());
    leave_out_unsaid(row.options); // keys of rows stay
    if (!row.problem.empty())
        return row;
    if (row.reference.empty() || row.distorted.empty())
        row.problem = fmt::format("there is no {} video", row.reference.empty() ? "reference" : "distorted");
    else if (!bit_rate.empty() && !(row.bit_rate && *row.bit_rate > 0))
        row.problem = fmt::format("bit_rate has to be a number above 0, not {}", quote(bit_rate));
    return row;
}

/// Rows that ask for the same, by a hash of 128 bits.
class SeenRows {
  public:
    /// The line of an earlier row that asks for the same; nothing when there is none.
    std::optional<std::int64_t> add(const Row &row) {
        Row asked{0, row.reference, row.distorted};
        asked.options = row.options;
        const Result<std::string> text = encode_row(asked);
        if (!text)
            return std::nullopt;
        const auto bytes = std::as_bytes(std::span(*text));
        const auto [seen, added] = lines_.try_emplace({xxh64(bytes, 0), xxh64(bytes, 1)}, row.line);
        return added ? std::nullopt : std::optional(seen->second);
    }

  private:
    std::map<std::array<std::uint64_t, 2>, std::int64_t> lines_;
};

} // namespace

namespace {

/// The next rows of a manifest, at most `most`; those that are wrong by themselves have a problem.
Result<std::vector<Row>> read_rows(ManifestReader &reader, const Fields &defaults, SeenRows &seen, std::size_t most) {
    std::vector<Row> rows;
    while (rows.size() < most) {
        std::optional<ManifestRow> read = TRY(reader.next());
        if (!read)
            break;
        Row row = row_of(*std::move(read), defaults);
        if (const auto text = encode_row(row); !text)
            row.problem = text.error().message;
        if (row.problem.empty())
            if (const auto line = seen.add(row))
                row.problem = fmt::format("line {} has the same pair with the same options", *line);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

Result<ManifestSummary> validate_manifest(ManifestReader &reader, const Fields &defaults, const RowCheck &check,
                                          const RowSink &sink) {
    constexpr std::size_t rows_at_a_time = 256, threads = 16; // checks wait for the file system
    ManifestSummary summary;
    SeenRows seen;
    for (;;) {
        std::vector<Row> rows = TRY(read_rows(reader, defaults, seen, rows_at_a_time));
        if (rows.empty())
            return summary;
        std::vector<Result<std::uint64_t>> bytes(rows.size(), 0);
        for_each_number(rows.size(), threads, [&](std::size_t i) {
            if (rows[i].problem.empty())
                bytes[i] = check(rows[i]);
        });
        for (std::size_t i = 0; i < rows.size(); i++) {
            Row &row = rows[i];
            if (!bytes[i])
                row.problem = bytes[i].error().message;
            summary.invalid += !row.problem.empty();
            summary.pairs += row.problem.empty();
            summary.bytes += bytes[i].value_or(0);
            TRY(sink(row, bytes[i].value_or(0)));
        }
    }
}

} // namespace isovmaf::batch
