// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// Options that several commands have: backend and device, folders of plugins, the CPU level, the number of threads.
namespace isovmaf::tool {

/// --backend and --device. `group` is the heading above the options in the help.
void declare_backend(CLI::App &command, std::string &backend, std::optional<int> &device,
                     const char *group = "Options");

void declare_backend_folders(CLI::App &command, std::vector<std::string> &folders, const char *group = "Options");

/// --cpu. `level` is ExecutionOptions::cpu_level.
void declare_cpu_level(CLI::App &command, std::string &level, const char *group = "Options");

void declare_threads(CLI::App &command, int &threads, const char *group = "Options");

} // namespace isovmaf::tool
