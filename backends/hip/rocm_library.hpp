// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace isovmaf::gpu {

/// A place where ROCm's HIP runtime is looked for.
struct RuntimePlace {
    enum class Kind {
        loaded, ///< the libraries that the process has loaded already
        linker, ///< the folders that the dynamic linker searches
        folder, ///< `folder`
    };
    Kind kind;
    std::filesystem::path folder = {};
    std::string origin = {}; ///< the environment variable that names the folder; empty for a usual folder
};

/// All places, in the order in which they are tried (docs/adr/0020). `rocm` is the folder in which AMD's packages lie,
/// /opt/rocm; its subfolders core-VERSION are tried from the newest version down.
[[nodiscard]] std::vector<RuntimePlace> runtime_places(const std::filesystem::path &rocm);

/// An opened runtime, or why there is none.
struct RuntimeLibrary {
    void *library = nullptr; ///< of dlopen; nullptr: no runtime was found
    std::string name;        ///< such as "libamdhip64.so.7"
    std::string tried;       ///< what was found in each place, in one line; complete when no runtime was found
};

/// Opens the first runtime that `missing_function` accepts. `missing_function` is given a library, and returns the name
/// of a required function that the library lacks, or "". Libraries that it refuses are closed again.
[[nodiscard]] RuntimeLibrary open_runtime_library(const std::vector<RuntimePlace> &places,
                                                  const std::function<std::string(void *library)> &missing_function);

} // namespace isovmaf::gpu
