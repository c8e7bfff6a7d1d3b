// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// Where plugins are looked for: `given`, else the colon-separated list in the environment variable
/// ISOVMAF_BACKEND_DIR, else what belongs to the file that this code was loaded from: the installed plugins, those in
/// a folder `backends` beside it, or in a build tree those built there. The first that says anything replaces the rest;
/// empty items say nothing. Never the current directory by itself. Fails on a folder that was named but is not there.
[[nodiscard]] Result<std::vector<std::filesystem::path>> backend_folders(const std::vector<std::string> &given);

/// The last of the three, for a program or library in `folder`.
[[nodiscard]] std::vector<std::filesystem::path> default_backend_folders(const std::filesystem::path &folder);

/// Folder of the program or library that holds this code; empty when the system does not tell.
[[nodiscard]] std::filesystem::path folder_of_this_code();

/// The build tree that `folder` lies in; empty when it lies in none.
[[nodiscard]] std::filesystem::path build_tree_of(std::filesystem::path folder);

} // namespace isovmaf
