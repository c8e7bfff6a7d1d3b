// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

/// Options that several commands have: where plugins are, and how many threads compute.
namespace isovmaf::tool {

/// `group` is the heading in the help.
void declare_backend_folders(CLI::App &command, std::vector<std::string> &folders, const char *group = "Options");
void declare_threads(CLI::App &command, int &threads, const char *group = "Options");

} // namespace isovmaf::tool
