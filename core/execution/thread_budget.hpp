// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "base/processors.hpp"

namespace isovmaf {

/// What shares the processors that a process may use.
struct ThreadDemand {
    int threads = 0;     ///< that the user allows all extractions of the process; 0: one for each processor
    int extractions = 1; ///< that compute side by side, each on a pair of files
    int processes = 1;   ///< of this machine that share its processors, where `threads` is 0
    bool device = false; ///< extractions compute on a device
};

/// How many threads each kind of work gets, at least 1. Each kind may use all processors, as kinds wait for each other:
/// extractors for decoders, or the other way round. Readers of raw files wait for nobody: those of all files take three
/// of four processors, for with more of them the threads that wait for frames get none in time.
struct ThreadBudget {
    int extractors; ///< of each extraction: features on the CPU, and last steps of features on a device
    int copiers;    ///< of each extraction: pictures into memory that a device reads
    int readers;    ///< of each raw file: one reads faster than the CPU scores, a device takes what several read
    int decoders;   ///< of each coded file: the two of a pair seldom keep all of them busy at a time
    int hashers;    ///< of one file that is hashed in parts
};

/// Says how many threads anything has, but workers of a batch on several devices, which share what this gives: see
/// batch/work/worker.hpp. `processors`: see usable_processors.
[[nodiscard]] ThreadBudget budget_of(const ThreadDemand &demand, int processors = usable_processors());

} // namespace isovmaf
