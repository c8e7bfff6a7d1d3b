// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "isovmaf/result.hpp"

/// Processes that share a run folder, on any node, and their leases.
namespace isovmaf::batch {

/// Identifies this host, this boot and this PID namespace; empty when the system does not say.
[[nodiscard]] std::string host_identity();

/// The start time of a process of this host, as the host counts time; empty when there is no such process, and when the
/// process has ended and its parent has not waited for it.
[[nodiscard]] std::string start_of_process(std::int64_t process);

/// Whether the process of this host that started at `start` has ended. False where this is not known: `start` is
/// empty and another process may have the number, or the system hides processes of other users.
[[nodiscard]] bool has_ended(std::int64_t process, std::string_view start);

/// A name that no other process on any node uses: host, a digest of the host's identity, process and a random number.
[[nodiscard]] std::string unique_name();

/// Whether a unique name was made by a process of this host that has ended. False where this is not known.
[[nodiscard]] bool is_of_ended_process(std::string_view unique_name);

/// Leases of one process: files that tell other workers, on any node, which units are in work. A lease ends when it is
/// given back, when it was not renewed for the time `expiry`, and at once when its process on this host has ended.
/// Ages are differences of times that the file system of the folder set, so clocks of hosts do not matter. Two workers
/// with one unit do harmless work: their words are equal. A lease is a link to a file that says who its owner is: it
/// appears with its content, and touching that file renews all leases of a process. Thread-safe.
class Leases {
  public:
    using Seconds = std::chrono::seconds;

    [[nodiscard]] static Result<std::unique_ptr<Leases>> create(const std::filesystem::path &folder, Seconds expiry);
    ~Leases(); ///< gives all leases back
    Leases(const Leases &) = delete;
    Leases &operator=(const Leases &) = delete;

    /// False when another worker has the unit.
    [[nodiscard]] Result<bool> take(const std::string &unit);
    void give_back(const std::string &unit);

    /// How many leases of all processes have not expired.
    [[nodiscard]] Result<std::size_t> count_live() const;

    /// Removes what processes left that were killed.
    Result<void> remove_stale() const;

  private:
    Leases(std::filesystem::path folder, Seconds expiry);

    struct Stamp {
        std::string owner;
        std::int64_t time_ns = 0;
    };
    [[nodiscard]] std::optional<Stamp> read(const std::filesystem::path &path) const;
    [[nodiscard]] Result<std::int64_t> now_ns() const;
    [[nodiscard]] Result<bool> is_stale(const Stamp &stamp) const;
    [[nodiscard]] bool is_own(const std::string &unit, const Stamp &stamp) const;
    [[nodiscard]] Result<bool> evict(const std::filesystem::path &path) const;
    void renew(const std::stop_token &stopped);

    std::filesystem::path folder_;
    Seconds expiry_;
    std::string name_;            ///< of this process, unlike all others
    std::filesystem::path owner_; ///< the file that all leases of this process are links to
    mutable std::mutex mutex_;
    std::set<std::string> held_;
    std::jthread renewer_; // declared after the members that it reads
};

} // namespace isovmaf::batch
