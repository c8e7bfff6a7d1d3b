// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "batch/manifest/row.hpp"

/// Manifests: tables of pairs to score, as CSV or as JSON Lines. docs/batch.md describes them.
namespace isovmaf::batch {

/// The columns that a manifest may have.
struct ManifestColumns {
    std::set<std::string> known; ///< besides reference and distorted
    std::set<std::string> lists; ///< known columns that may have several values; in CSV semicolons part them
};

/// One row of a manifest, as it stands there.
struct ManifestRow {
    std::int64_t line = 0; ///< on which the row starts, from 1
    Fields fields = {};
    std::string problem = {}; ///< why the row cannot be read; empty otherwise
};

/// Reads a manifest row by row: its memory does not grow with the number of rows.
class ManifestReader {
  public:
    virtual ~ManifestReader() = default;

    /// The next row, or nothing at the end. Fails when reading fails.
    [[nodiscard]] virtual Result<std::optional<ManifestRow>> next() = 0;
};

/// A reader of the format that the text has: JSON Lines begin with a brace. `name` stands in messages, `columns` has to
/// outlive the reader. Fails when the header of a CSV file has unknown columns, one twice, or not both videos.
[[nodiscard]] Result<std::unique_ptr<ManifestReader>>
read_manifest(std::unique_ptr<std::istream> stream, const std::string &name, const ManifestColumns &columns);

/// Opens a manifest file.
[[nodiscard]] Result<std::unique_ptr<ManifestReader>> open_manifest(const std::string &path,
                                                                    const ManifestColumns &columns);

} // namespace isovmaf::batch
