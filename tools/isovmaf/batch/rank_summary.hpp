// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "batch/work/worker.hpp"
#include "ranks/ranks.hpp"

namespace isovmaf::tool {

/// What all ranks of an MPI job did together.
struct RankSummary {
    batch::WorkCounts all; ///< of all ranks; without `workers`
    std::string table;     ///< a line for each rank, and sums; each ends in a line feed
};

/// Collective. `place` says where this rank computed, and `seconds` how long.
[[nodiscard]] Result<RankSummary> summarise_ranks(ranks::Ranks &job, const batch::WorkCounts &counts, double seconds,
                                                  const std::string &place);

} // namespace isovmaf::tool
