// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "batch/manifest/row.hpp"

/// Messages of failures in stores name no file: rows whose files have equal contents share a record, and results must
/// not reveal where the folder lies.
namespace isovmaf::batch {

/// The message with "{reference}" and "{distorted}" in the places of these paths.
[[nodiscard]] std::string hide_names(std::string message, const std::string &reference, const std::string &distorted);

/// A message of a store with the names that the row has.
[[nodiscard]] std::string show_names(std::string message, const Row &row);

} // namespace isovmaf::batch
