// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

namespace isovmaf {

/// How many logical processors the calling thread may run on, at least 1: fewer than the machine has where a batch
/// system, taskset or a container gave only some of them.
[[nodiscard]] int usable_processors();

} // namespace isovmaf
