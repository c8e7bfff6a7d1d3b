// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <vector>

#include "batch/work/task_source.hpp"
#include "batch/work/worker.hpp"
#include "ranks/ranks.hpp"

namespace isovmaf::batch {

/// The tasks of an MPI job: its first rank hands them out to all ranks, including itself, as workers become free.
class RankTasks : public TaskSource {
  public:
    /// Every rank makes one, with the same tasks.
    [[nodiscard]] static std::unique_ptr<RankTasks> create(ranks::Ranks &ranks, std::vector<Task> tasks);

    /// To be called when the workers of this process have ended, for whatever reason. The first rank waits until all
    /// others have come here or died; tasks that those had go to others. When the first rank was stopped, no rank gets
    /// another task.
    virtual Result<void> finish(bool stopped) = 0;

    /// On the first rank: what the other ranks have done so far.
    [[nodiscard]] virtual WorkCounts of_others() = 0;

    /// On the first rank after finish(): whether every unit was settled.
    [[nodiscard]] virtual bool all_settled() = 0;
};

} // namespace isovmaf::batch
