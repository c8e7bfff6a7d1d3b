// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "base/log.hpp"
#include "batch/work/worker_places.hpp"
#include "tools/isovmaf/batch/batch.hpp"

namespace isovmaf::tool {

/// Where the workers of this process compute, one after the other. Tests the devices that --devices names, and says
/// which were taken. Processes that started together share the devices of their host.
[[nodiscard]] Result<std::vector<batch::WorkerPlace>>
place_batch_workers(const BatchArguments &arguments, const batch::HostShare &share, const LogSink &log);

/// Binds the calling thread as the place says. A thread that cannot be bound is a warning: it does the same work.
void bind_worker(const batch::WorkerPlace &place, const LogSink &log);

/// What sessions of a worker at that place are asked for.
[[nodiscard]] BatchExecution execution_at(const batch::WorkerPlace &place, BatchExecution execution);

} // namespace isovmaf::tool
