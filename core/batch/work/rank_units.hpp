// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>

#include "batch/work/unit_source.hpp"
#include "batch/work/worker.hpp"
#include "ranks/ranks.hpp"

namespace isovmaf::batch {

/// The units of an MPI job: its first rank hands them out to all ranks, including itself, as workers become free.
class RankUnits : public UnitSource {
  public:
    /// Every rank makes one, with the same number of units and the same shard.
    [[nodiscard]] static std::unique_ptr<RankUnits> create(ranks::Ranks &ranks, std::size_t units, Shard shard);

    /// To be called when the workers of this process have ended, for whatever reason. The first rank waits
    /// until all others have come here or died; units of those that died go to others. When the first rank was stopped,
    /// no rank gets another unit.
    virtual Result<void> finish(bool stopped) = 0;

    /// On the first rank: what the other ranks have done so far.
    [[nodiscard]] virtual WorkCounts of_others() = 0;

    /// On the first rank after finish(): whether every unit was settled.
    [[nodiscard]] virtual bool all_settled() = 0;
};

} // namespace isovmaf::batch
