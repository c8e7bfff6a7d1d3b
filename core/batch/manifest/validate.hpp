// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>

#include "batch/manifest/manifest.hpp"

namespace isovmaf::batch {

/// What a manifest holds.
struct ManifestSummary {
    std::int64_t pairs = 0, invalid = 0;
    std::uint64_t bytes = 0; ///< to read, of the rows without a problem
};

/// Says what is wrong with a row's options or files, or how many bytes its files have. Several threads call it.
using RowCheck = std::function<Result<std::uint64_t>(const Row &)>;

/// Takes each row in its order, with the bytes of its files; those that cannot be scored have a problem.
using RowSink = std::function<Result<void>(const Row &, std::uint64_t bytes)>;

/// Reads a manifest to its end. Columns that a row leaves empty take their values from `defaults`. A row is invalid
/// when it cannot be read, names no pair, fails the check, or repeats an earlier row's pair with the same options.
[[nodiscard]] Result<ManifestSummary> validate_manifest(ManifestReader &reader, const Fields &defaults,
                                                        const RowCheck &check, const RowSink &sink);

} // namespace isovmaf::batch
