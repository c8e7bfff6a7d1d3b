// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "tools/vmaf/options.hpp"

namespace isovmaf::vmaf {

/// The version in reports and behind --version: the release of libvmaf that is reproduced, then isovmaf's.
[[nodiscard]] std::string version_text();

/// Scores the videos and writes the report. True when the user interrupted.
[[nodiscard]] Result<bool> run(const Options &options);

} // namespace isovmaf::vmaf
