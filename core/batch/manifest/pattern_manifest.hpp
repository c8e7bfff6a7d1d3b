// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <string>

#include "batch/manifest/manifest.hpp"

namespace isovmaf::batch {

/// How columns of a row are made from the path of its distorted video. Texts may hold {name}, the name of the file,
/// {stem}, the name without its extension, {dir}, its folder ("." where the path has none), and {1} to {9}, the groups
/// of `match`.
struct PairRule {
    std::string reference;
    std::string match = {}; ///< ECMAScript regular expression of the whole name; empty: every name matches
    std::string label = {};
    std::string bit_rate = {};

    friend bool operator==(const PairRule &, const PairRule &) = default;
};

/// The files that a pattern of the shell (*, ?, [...]) matches, in the order of their bytes, as a manifest: line n is
/// the n-th file. Files have a problem when their name does not match and when the rule gives them themselves as
/// reference. Fails with invalid_argument when the rule cannot be understood, and when no file matches.
[[nodiscard]] Result<std::unique_ptr<ManifestReader>> find_pairs(const std::string &pattern, const PairRule &rule);

} // namespace isovmaf::batch
