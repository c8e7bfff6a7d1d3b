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

void declare_cpu_level(CLI::App &command, std::string &level, const char *group) {
    command
        .add_option("--cpu", level,
                    "Newest instruction set that code for the CPU may use: auto (the newest that the processor has), "
                    "scalar (definitions), sse4, avx2, avx512, neon or sve; never changes a score")
        ->type_name("LEVEL")
        ->capture_default_str()
        ->group(group);
}

void declare_threads(CLI::App &command, int &threads, const char *group) {
    command.add_option("--threads", threads, "Threads of the CPU, 0: one per processor; never changes a score")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str()
        ->group(group);
}

} // namespace isovmaf::tool
