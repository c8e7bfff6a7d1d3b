// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/execution_options.hpp"

#include <CLI/CLI.hpp>

namespace isovmaf::tool {

void declare_backend_folders(CLI::App &command, std::vector<std::string> &folders, const char *group) {
    command
        .add_option("--backend-dir", folders,
                    "Folder searched for plugins, in place of ISOVMAF_BACKEND_DIR and the default; may be repeated")
        ->type_name("FOLDER")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
}

void declare_threads(CLI::App &command, int &threads, const char *group) {
    command.add_option("--threads", threads, "Threads of the CPU, 0: one per processor; never changes a score")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str()
        ->group(group);
}

} // namespace isovmaf::tool
