// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "tools/reference/program_text.hpp"

namespace isovmaf::tool {

/// The sections of the manual page that no option says: exit status, environment, files and examples.
[[nodiscard]] std::vector<reference::ManualSection> manual_sections();

} // namespace isovmaf::tool
