// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>

#include "tools/isovmaf/batch/batch.hpp"

namespace CLI {
class App;
}

/// The options of `isovmaf batch`, some of which its nested commands have too.
namespace isovmaf::tool {

/// --allow-failed.
void declare_allowed(CLI::App &command, std::size_t &allowed);

/// What a run folder is made from.
void declare_preparation(CLI::App &command, PrepareArguments &arguments);

/// How processes share the work, what they try again, and what they show.
void declare_batch_run(CLI::App &command, BatchArguments &arguments);

/// Devices and threads.
void declare_batch_execution(CLI::App &command, BatchExecution &execution);

/// Options of earlier versions, which say what to do instead.
void declare_removed_options(CLI::App &command);

} // namespace isovmaf::tool
