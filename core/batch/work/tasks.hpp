// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "batch/store/run_folder.hpp"
#include "batch/store/store_index.hpp"
#include "batch/work/unit.hpp"

/// How the units of a run are divided: into tasks for workers, and into shards.
namespace isovmaf::batch {

/// The units that a worker does at a time, side by side: of one group. Their numbers in the run.
struct Task {
    std::vector<std::size_t> units;
    bool alone = false; ///< a process died with the unit in work: nothing else is in work beside it
};

struct TaskOptions {
    std::size_t workers = 1;       ///< that share the tasks
    std::size_t most_in_group = 1; ///< units of a task
};

/// The tasks of all units. A group is cut into tasks so that each worker gets some; units that may have killed a
/// process are alone and come last. Equal arguments give equal tasks.
[[nodiscard]] Result<std::vector<Task>> plan_tasks(std::span<const Unit> units, const RowTable &rows,
                                                   const std::map<std::string, UnitDeaths> &deaths,
                                                   const TaskOptions &options);

struct ShardOptions {
    std::size_t shards = 1;
    std::size_t at_once = 1; ///< how many of them are expected to be at work at the same time
};

/// The number of each unit's shard. A group stays together unless there are fewer groups than shards at work; then it
/// is cut into parts. Shards get about the same number of bytes. `bytes` are those of each row's videos. Equal
/// arguments give equal shards.
[[nodiscard]] std::vector<std::size_t> plan_shards(std::span<const Unit> units, std::span<const std::uint64_t> bytes,
                                                   const ShardOptions &options);

/// The rows of each shard, as write_shards takes them.
[[nodiscard]] Result<std::vector<std::string>> rows_of_shards(std::span<const Unit> units, const RowTable &rows,
                                                              std::span<const std::size_t> shard_of_unit,
                                                              std::size_t shards);

} // namespace isovmaf::batch
