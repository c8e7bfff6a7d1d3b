// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

/// Options that several commands have: folders of plugins, the CPU level, and the number of threads.
namespace isovmaf::tool {

/// `group` is the heading above the option in the help.
void declare_backend_folders(CLI::App &command, std::vector<std::string> &folders, const char *group = "Options");

/// --cpu. `level` is SessionOptions::cpu_level.
void declare_cpu_level(CLI::App &command, std::string &level, const char *group = "Options");

void declare_threads(CLI::App &command, int &threads, const char *group = "Options");

} // namespace isovmaf::tool
