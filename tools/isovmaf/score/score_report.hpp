// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "input/pair/sync.hpp"
#include "input/source.hpp"
#include "isovmaf/execution.hpp"
#include "report/report.hpp"
#include "request/pair_job.hpp"
#include "run/videos.hpp"

namespace isovmaf::tool {

/// A report of a run, without its scores.
[[nodiscard]] Report describe_run(const RequestArguments &arguments, const PairJob &job, const OpenedVideos &videos);

/// Puts into the report how frames were paired. When frames of the reference were left out, the times of pairs are not
/// known.
void describe_sync(const SyncResult &sync, Report &report);

/// A sentence about frames without a partner; empty when every frame had one.
[[nodiscard]] std::string unpaired_text(const SyncResult &sync);

/// Says where a session runs and why: whole lines of text.
[[nodiscard]] std::string describe_place(const Execution &execution);

/// Kernel launches and device time of every feature, and the device's memory. Empty on the CPU.
[[nodiscard]] std::string describe_work(const Execution &execution);

} // namespace isovmaf::tool
