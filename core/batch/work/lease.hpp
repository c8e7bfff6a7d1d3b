// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "isovmaf/result.hpp"

namespace isovmaf::batch {

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
