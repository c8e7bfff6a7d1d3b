// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "isovmaf/result.hpp"

namespace isovmaf::tool {

/// How much time --time-left gives: a number of seconds, or with "auto" what is left to the Slurm job that this process
/// is part of. Nothing when the job has no limit. Fails when the text is neither and when there is no job.
[[nodiscard]] Result<std::optional<std::chrono::seconds>> read_time_left(const std::string &text);

} // namespace isovmaf::tool
