// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <span>

#include "batch/store/run_folder.hpp"

namespace isovmaf::batch {

/// Makes `target` a run folder that has the stores of all `folders`, which may be itself among them: doing it again
/// changes nothing. Fails when the folders are of different versions, options or rows; the error names both.
[[nodiscard]] Result<RunFolder> merge_folders(std::span<const std::filesystem::path> folders,
                                              const std::filesystem::path &target);

} // namespace isovmaf::batch
