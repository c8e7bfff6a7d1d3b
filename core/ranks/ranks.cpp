// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "ranks/ranks.hpp"

#include <array>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/float_environment.hpp"
#include "base/text.hpp"
#include "base/try.hpp"
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
                fmt::format("{}; build it with the MPI of this cluster, as docs/batch.md (in share/doc/isovmaf) "
                            "says, and let {} name it, or give --engine folder: then processes share the run folder "
                            "without MPI",
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

namespace {

constexpr int exit_of_abort = 1;

/// Looks a plugin's table up. Libraries of some MPIs open parts of themselves, which need the symbols of the rest.
Result<const isovmaf_mpi *> open_table(const std::filesystem::path &path) {
    const std::string file = std::filesystem::absolute(path).string(); // dlopen searches for a bare name
    const auto refuse = [&](const std::string &why) {
        return fail(ErrorCode::mismatch, fmt::format("{}: {}", file, why));
    };
    void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        const char *const reason = dlerror();
        return refuse(fmt::format("cannot be loaded: {}; load the module of the MPI that the plugin was built with, or "
                                  "build it with the one that is loaded",
                                  reason ? reason : "the dynamic linker gives no reason"));
    }
    const auto *const table = static_cast<const isovmaf_mpi *>(dlsym(library, ISOVMAF_MPI_SYMBOL));
    if (!table || table->magic != ISOVMAF_MPI_MAGIC)
        return refuse("not an MPI plugin of isovmaf: it has no symbol " ISOVMAF_MPI_SYMBOL " of that kind");
    if (table->size != sizeof(isovmaf_mpi) || table->layout != ISOVMAF_MPI_LAYOUT)
        return refuse(fmt::format("built for another isovmaf: its contract has {} bytes and layout {:#018x}, this "
                                  "isovmaf's {} bytes and {:#018x}; rebuild the plugin",
                                  table->size, table->layout, sizeof(isovmaf_mpi), ISOVMAF_MPI_LAYOUT));
    return table;
}

} // namespace

template <auto function, class... Arguments>
Result<isovmaf_mpi_status> Ranks::call(Arguments... arguments) {
    const std::lock_guard lock(mutex_);
    isovmaf_mpi_message message{};
    const isovmaf_mpi_status status = (table_.*function)(arguments..., &message);
    if (status != ISOVMAF_MPI_FAILED)
        return status;
    failed_ = true;
    return fail(ErrorCode::io, fmt::format("rank {} of {}: {}", info_.rank, info_.ranks, message.text));
}

/// A call that needs all ranks that were there at the last regroup().
template <auto function, class... Arguments>
Result<void> Ranks::call_together(Arguments... arguments) {
    if (TRY(call<function>(arguments...)) != ISOVMAF_MPI_LOST)
        return {};
    failed_ = true;
    return fail(ErrorCode::io,
                fmt::format("rank {} of {}: another rank has died; run the same command again to continue", info_.rank,
                            info_.ranks));
}

Result<std::unique_ptr<Ranks>> Ranks::start(const std::filesystem::path &plugin) {
    const FloatEnvironment floats; // libraries that were linked with -ffast-math change it when they are loaded
    const isovmaf_mpi *const table = TRY(open_table(plugin));
    std::unique_ptr<Ranks> ranks(new Ranks(*table));
    TRY(ranks->call_together<&isovmaf_mpi::start>(&ranks->info_));
    ranks->living_ = ranks->info_.ranks;
    ranks->started_ = true;
    return ranks;
}

Ranks::~Ranks() {
    isovmaf_mpi_message message{};
    if (started_ && failed_)
        table_.abort(exit_of_abort);
    else if (started_)
        table_.stop(&message); // all is done: a failure would change nothing
}

Result<void> Ranks::send_bytes(int to, const void *data, std::size_t bytes) {
    TRY(call<&isovmaf_mpi::send>(to, data, static_cast<std::uint32_t>(bytes)));
    return {};
}

Result<bool> Ranks::receive_bytes(int &from, void *data, std::size_t bytes) {
    const bool any = from < 0;
    const isovmaf_mpi_status status = TRY(call<&isovmaf_mpi::receive>(&from, data, static_cast<std::uint32_t>(bytes)));
    if (status != ISOVMAF_MPI_LOST || any)
        return status == ISOVMAF_MPI_OK;
    failed_ = true;
    return fail(
        ErrorCode::io,
        fmt::format("rank {}, which hands out the units, has died; run the same command again to continue", from));
}

Result<std::vector<int>> Ranks::lost() {
    std::vector<std::uint8_t> died(static_cast<std::size_t>(info_.ranks));
    TRY(call<&isovmaf_mpi::lost>(died.data()));
    std::vector<int> ranks;
    for (std::size_t i = 0; i < died.size(); i++)
        if (died[i] != 0)
            ranks.push_back(static_cast<int>(i));
    return ranks;
}

Result<int> Ranks::regroup() {
    TRY(call_together<&isovmaf_mpi::regroup>(&living_));
    return living_;
}

Result<void> Ranks::wait_for_all() { return call_together<&isovmaf_mpi::barrier>(); }

Result<std::string> Ranks::broadcast(const std::string &text) {
    TRY(wait_for_all());
    std::uint64_t bytes = text.size();
    TRY(call_together<&isovmaf_mpi::broadcast>(&bytes, std::uint64_t{sizeof bytes}));
    std::string shared = text;
    shared.resize(bytes);
    TRY(call_together<&isovmaf_mpi::broadcast>(shared.data(), bytes));
    return shared;
}

Result<void> Ranks::reduce(isovmaf_mpi_operation operation, const std::int64_t *from, std::int64_t *to,
                           std::size_t count) {
    return call_together<&isovmaf_mpi::reduce>(operation, from, to, std::uint64_t{count});
}

Result<std::int64_t> Ranks::reduce(isovmaf_mpi_operation operation, std::int64_t value) {
    TRY(wait_for_all());
    std::int64_t reduced = 0;
    TRY(reduce(operation, &value, &reduced, 1));
    return reduced;
}

Result<void> Ranks::gather(const void *from, std::size_t bytes, void *to) {
    return call_together<&isovmaf_mpi::gather>(from, std::uint64_t{bytes}, to);
}

} // namespace isovmaf::ranks
