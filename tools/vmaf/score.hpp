// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "isovmaf/execution.hpp"
#include "tools/vmaf/options.hpp"

namespace isovmaf::vmaf {

/// The version in reports and behind --version: the release of libvmaf that is reproduced, then isovmaf's.
[[nodiscard]] std::string version_text();

/// Starts to open the GPU, if there may be one that is used.
[[nodiscard]] Result<ExecutionHandle> start_opening(const Options &options);

/// Scores the videos and writes the report. True when the user interrupted. Does not wait for `execution` when it fails
/// before that is needed.
[[nodiscard]] Result<bool> run(const Options &options, const ExecutionHandle &execution);

} // namespace isovmaf::vmaf
