// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "execution/thread_budget.hpp"

#include <algorithm>

namespace isovmaf {

namespace {

constexpr int most_copiers = 8, most_readers = 8; // memory is the limit then

/// Two files of each extraction share three of four processors. Where the user allows few threads, the readers of both
/// files together are no more than these.
int readers_of(const ThreadDemand &demand, int processors) {
    if (!demand.device)
        return 1;
    const int allowed = demand.threads > 0 ? std::max(1, demand.threads / 2) : most_readers;
    return std::clamp(processors * 3 / (8 * demand.extractions), 1, std::min(allowed, most_readers));
}

} // namespace

ThreadBudget budget_of(const ThreadDemand &demand, int processors) {
    const int mine = std::max(1, processors / demand.processes);
    const int extractors = std::max(1, (demand.threads > 0 ? demand.threads : mine) / demand.extractions);
    return {.extractors = extractors,
            .copiers = std::min(extractors, most_copiers),
            .readers = readers_of(demand, mine),
            .decoders = std::max(1, mine / demand.extractions),
            .hashers = std::max(1, mine / 2)};
}

} // namespace isovmaf
