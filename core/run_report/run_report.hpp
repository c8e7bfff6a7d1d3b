// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "input/pair/sync.hpp"
#include "report/report.hpp"
#include "request/pair_job.hpp"
#include "run/videos.hpp"

/// The report of two videos that are scored: what the program and the Python package say alike.
namespace isovmaf {

/// A report of a run, without its scores. `use`: what features take of the facts of these videos.
[[nodiscard]] Report describe_run(const RequestArguments &arguments, const PairJob &job, const OpenedVideos &videos,
                                  const FactUse &use);

/// Puts into the report how frames were paired. When frames of the reference were left out, the times of pairs are not
/// known.
void describe_sync(const SyncResult &sync, Report &report);

} // namespace isovmaf
