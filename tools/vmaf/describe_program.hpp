// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "tools/reference/program_text.hpp"

namespace isovmaf::vmaf {

/// The options of the program, for its manual page and completions.
[[nodiscard]] reference::ProgramText describe_program();

} // namespace isovmaf::vmaf
