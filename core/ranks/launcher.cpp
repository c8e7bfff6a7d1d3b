// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "ranks/launcher.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "device/backend_folders.hpp"

namespace isovmaf::ranks {

namespace {

constexpr const char *plugin_variable = "ISOVMAF_MPI_PLUGIN";
constexpr const char *plugin_name = "libisovmaf_mpi.so";

/// A variable that says how many processes there are. PMIx gives the number only to those who link it, but Slurm does.
struct Sign {
    const char *size;
    const char *needs; ///< is set too where it is an MPI's doing; nullptr: `size` alone says so
};

constexpr std::array signs{
    Sign{"OMPI_COMM_WORLD_SIZE", nullptr},     // Open MPI's mpirun
    Sign{"MV2_COMM_WORLD_SIZE", nullptr},      // MVAPICH's
    Sign{"PMI_SIZE", nullptr},                 // MPICH's and Intel's; srun --mpi=pmi2
    Sign{"SLURM_STEP_NUM_TASKS", "PMIX_RANK"}, // srun --mpi=pmix
};

tl::unexpected<Error> missing(const std::string &what) {
    return fail(ErrorCode::not_found,
                fmt::format("{}; build it with the MPI of this cluster, as docs/batch.md says, and let {} name it, or "
                            "give --engine folder: then processes share the run folder without MPI",
                            what, plugin_variable));
}

} // namespace

std::optional<Launcher> find_launcher(const Environment &environment) {
    for (const Sign &sign : signs) {
        const char *const size = environment(sign.size);
        if (!size || (sign.needs && !environment(sign.needs)))
            continue;
        if (const auto ranks = parse_integer(size); ranks && *ranks > 1)
            return Launcher{sign.size, *ranks};
    }
    return std::nullopt;
}

Result<std::filesystem::path> find_plugin(const Environment &environment, const std::filesystem::path &folder) {
    std::error_code error;
    if (const char *const named = environment(plugin_variable); named && *named != '\0') {
        if (std::filesystem::is_regular_file(named, error))
            return named;
        return missing(fmt::format("{} names the file {}, which is not there", plugin_variable, named));
    }
    std::vector<std::filesystem::path> places{folder / ISOVMAF_BACKENDS_FROM_BINDIR / "../engines" / plugin_name};
    if (const std::filesystem::path tree = build_tree_of(folder); !tree.empty())
        places.push_back(tree / "engines/mpi" / plugin_name);
    std::vector<std::string> looked_at;
    for (const std::filesystem::path &place : places) {
        if (std::filesystem::is_regular_file(place, error))
            return place.lexically_normal();
        looked_at.push_back(place.lexically_normal().string());
    }
    return missing(fmt::format("there is no MPI plugin at {}", fmt::join(looked_at, ", nor at ")));
}

} // namespace isovmaf::ranks
