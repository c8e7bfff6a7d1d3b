// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "isovmaf/result.hpp"

/// Logical processors, by the numbers that the system gives them.
namespace isovmaf {

/// Those that the calling thread may run on, in order: fewer than the machine has where a batch system, taskset or a
/// container gave only some of them. Empty when the system does not tell.
[[nodiscard]] std::vector<int> usable_processor_numbers();

/// How many threads the calling thread and those that it starts have processors for, at least 1: as many as these
/// numbers, or fewer where a CPU quota does not pay for all of them. `root` is where cpu_quota.hpp looks for quotas.
[[nodiscard]] int usable_processors(const std::filesystem::path &root = "/");

/// Lets the calling thread, and threads that it starts from then on, run on these processors alone.
Result<void> bind_thread(std::span<const int> processors);

} // namespace isovmaf
