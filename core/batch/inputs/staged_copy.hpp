// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "batch/inputs/inputs.hpp"

namespace isovmaf::batch {

/// A copy of an input file.
struct CopiedFile {
    std::string digest;     ///< of its content, as Inputs has it without `fast`
    bool disk_full = false; ///< there is no copy, because the disk has no room for it
};

/// Copies a file into a folder that is made for it, and hashes what it copies. Fails when the file no longer looks as
/// `seen`, and with `interrupted` after `stop`.
[[nodiscard]] Result<CopiedFile> copy_input(const InputRecord &seen, const std::filesystem::path &path,
                                            const std::function<bool()> &stop);

} // namespace isovmaf::batch
