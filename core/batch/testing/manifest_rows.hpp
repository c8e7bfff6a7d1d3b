// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <vector>

#include "batch/manifest/manifest.hpp"

namespace isovmaf::testing {

/// All rows of a manifest that was opened, or why they cannot be read.
inline Result<std::vector<batch::ManifestRow>> all_rows(const Result<std::unique_ptr<batch::ManifestReader>> &reader) {
    if (!reader)
        return tl::unexpected(reader.error());
    std::vector<batch::ManifestRow> rows;
    for (;;) {
        auto row = (*reader)->next();
        if (!row)
            return tl::unexpected(row.error());
        if (!*row)
            return rows;
        rows.push_back(**row);
    }
}

} // namespace isovmaf::testing
