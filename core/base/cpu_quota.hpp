// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <optional>

namespace isovmaf {

/// How many processors the control groups (cgroups) of this process give it time for, rounded up, at least 1: the least
/// of the CPU quotas of its group and of the groups above, of cgroup v2 (cpu.max) and v1 (cpu.cfs_quota_us). Containers
/// and batch systems set these quotas. A process may run on more processors than its quota pays for, and then stands
/// still for a part of each period. Nothing where no group has a quota. The files are looked for below `root`.
[[nodiscard]] std::optional<int> processors_of_quota(const std::filesystem::path &root);

} // namespace isovmaf
