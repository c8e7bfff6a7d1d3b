// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "isovmaf/result.hpp"

/// How this process was started, and where the MPI plugin is.
namespace isovmaf::ranks {

/// What started several processes together, as ranks of one MPI job.
struct Launcher {
    std::string variable; ///< of the environment, which says so
    std::int64_t ranks;
};

/// The value of a variable of the environment; nullptr when there is none.
using Environment = std::function<const char *(const char *name)>;

/// The launcher of this process, when it is one of an MPI and started more than one process. Tasks of a Slurm job that
/// were not started for an MPI have none: elements of an array job, and `srun` without a plugin of --mpi.
[[nodiscard]] std::optional<Launcher> find_launcher(const Environment &environment);

/// The file of the MPI plugin: the one that the environment variable ISOVMAF_MPI_PLUGIN names, else the installed one,
/// or in a build tree the one built there, for a program in `folder`. Fails with the places that were looked at.
[[nodiscard]] Result<std::filesystem::path> find_plugin(const Environment &environment,
                                                        const std::filesystem::path &folder);

} // namespace isovmaf::ranks
