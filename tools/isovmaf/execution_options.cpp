// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/execution_options.hpp"

#include <CLI/CLI.hpp>

namespace isovmaf::tool {

void declare_backend(CLI::App &command, std::string &backend, std::optional<int> &device, const char *group) {
    command
        .add_option(
            "--backend", backend,
            "Where to compute: a plugin's name (see isovmaf backends); cpu; cpu-ref: the definitions, on the CPU; "
            "NAME,cpu: the CPU computes what the plugin has no kernels for; auto: the same with the first GPU, or cpu")
        ->capture_default_str()
        ->group(group);
    command.add_option("--device", device, "Number of the backend's device (default: the first that works)")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->group(group);
}

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
