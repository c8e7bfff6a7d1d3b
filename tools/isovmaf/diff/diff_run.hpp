// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "diff/harness.hpp"
#include "tools/isovmaf/diff/diff_job.hpp"

namespace isovmaf::tool {

/// Compares the sides on the job's videos or generated pictures.
[[nodiscard]] Result<void> compare_sides(const DiffArguments &arguments, const DiffJob &job, diff::Harness &harness);

/// Compares all sides with the file `arguments.against`: a report about the job's videos, or a golden file.
[[nodiscard]] Result<void> compare_with_stored(const DiffArguments &arguments, const DiffJob &job,
                                               diff::Harness &harness);

} // namespace isovmaf::tool
