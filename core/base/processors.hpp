// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <vector>

#include "isovmaf/result.hpp"

/// Logical processors, by the numbers that the system gives them.
namespace isovmaf {

/// Those that the calling thread may run on, in order: fewer than the machine has where a batch system, taskset or a
/// container gave only some of them. Empty when the system does not tell.
[[nodiscard]] std::vector<int> usable_processor_numbers();

/// How many these are, at least 1.
[[nodiscard]] int usable_processors();

/// Lets the calling thread, and threads that it starts from then on, run on these processors alone.
Result<void> bind_thread(std::span<const int> processors);

} // namespace isovmaf
