// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isovmaf/result.hpp"
#include "ranks/mpi_table.h"

/// The processes of one MPI job, how this process was started, and where the MPI plugin is.
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

/// A message from a rank.
template <class Message>
struct Received {
    int from = 0;
    Message message;
};

/// The MPI job that this process is a rank of. Thread-safe; calls that are collective are made by all living ranks in
/// the same order, and messages wait for them. There is at most one in a process's life.
class Ranks {
  public:
    /// Opens the plugin and starts its MPI. Collective. Fails when the file is no plugin of this isovmaf, and when the
    /// MPI does.
    [[nodiscard]] static Result<std::unique_ptr<Ranks>> start(const std::filesystem::path &plugin);

    /// Collective. When a call has failed or the job was abandoned, ends the processes of all ranks instead.
    ~Ranks();

    /// To be called when this rank cannot go on and others may wait for it.
    void abandon() { failed_ = true; }

    Ranks(const Ranks &) = delete;
    Ranks &operator=(const Ranks &) = delete;

    [[nodiscard]] const isovmaf_mpi_info &info() const { return info_; }
    [[nodiscard]] int rank() const { return info_.rank; }
    [[nodiscard]] bool is_first() const { return info_.rank == 0; }

    /// A message is a small structure of numbers; those from one rank arrive in their order. To a dead rank: dropped.
    template <class Message>
    Result<void> send(int to, const Message &message) {
        static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) <= 64);
        return send_bytes(to, &message, sizeof message);
    }

    /// A message of the rank `from`, or of any, that is there already. Fails when `from` has died.
    template <class Message>
    [[nodiscard]] Result<std::optional<Received<Message>>> receive(std::optional<int> from = {}) {
        Received<Message> received;
        received.from = from.value_or(-1);
        Result<bool> there = receive_bytes(received.from, &received.message, sizeof received.message);
        if (!there)
            return tl::unexpected(std::move(there).error());
        return *there ? std::optional(received) : std::nullopt;
    }

    /// The ranks that have died so far, where the MPI goes on then.
    [[nodiscard]] Result<std::vector<int>> lost();

    /// Collective: the calls below leave dead ranks out from now on. Gives the number of living ranks.
    Result<int> regroup();

    /// Collective: waits for all ranks, asleep.
    Result<void> wait_for_all();

    /// Collective: the text of the first living rank.
    [[nodiscard]] Result<std::string> broadcast(const std::string &text);

    /// Collective: to[i] becomes the sum, minimum or maximum of all from[i]. Both on the host, or both on a device
    /// whose memory the MPI takes.
    Result<void> reduce(isovmaf_mpi_operation operation, const std::int64_t *from, std::int64_t *to, std::size_t count);
    [[nodiscard]] Result<std::int64_t> reduce(isovmaf_mpi_operation operation, std::int64_t value);

    /// Collective: `bytes` bytes of each rank in the order of the ranks. Addresses as above.
    Result<void> gather(const void *from, std::size_t bytes, void *to);
    template <class Value>
    [[nodiscard]] Result<std::vector<Value>> gather(const Value &value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        std::vector<Value> values(static_cast<std::size_t>(living_));
        if (Result<void> done = gather(&value, sizeof value, values.data()); !done)
            return tl::unexpected(std::move(done).error());
        return values;
    }

  private:
    explicit Ranks(const isovmaf_mpi &table) : table_(table) {}

    Result<void> send_bytes(int to, const void *data, std::size_t bytes);
    Result<bool> receive_bytes(int &from, void *data, std::size_t bytes);
    /// Calls a function of the table; its status, or its failure.
    template <auto function, class... Arguments>
    Result<isovmaf_mpi_status> call(Arguments... arguments);
    template <auto function, class... Arguments>
    Result<void> call_together(Arguments... arguments);

    const isovmaf_mpi &table_;
    isovmaf_mpi_info info_{};
    int living_ = 0;
    bool started_ = false, failed_ = false;
    std::mutex mutex_; ///< of the plugin, which takes one call at a time
};

} // namespace isovmaf::ranks
