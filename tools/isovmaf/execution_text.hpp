// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "isovmaf/execution.hpp"

namespace isovmaf::tool {

/// Where a session runs and why, for people: whole lines.
[[nodiscard]] std::string describe_place(const Execution &execution);

/// What ran there: launches and device time of every feature, and memory. Empty on the CPU.
[[nodiscard]] std::string describe_work(const Execution &execution);

} // namespace isovmaf::tool
