// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "batch/inputs/inputs.hpp"

namespace isovmaf::batch {

/// Where and how much is staged.
struct StagingOptions {
    std::filesystem::path folder;                 ///< on a disk of the node
    std::optional<std::uint64_t> most_bytes = {}; ///< of all copies; nothing: 80 % of what is free in the folder now
};

/// Files that a unit reads. Copies stay as long as this object lives. Outlived by its Staging.
class StagedFiles {
  public:
    StagedFiles() = default;
    StagedFiles(StagedFiles &&) noexcept;
    StagedFiles &operator=(StagedFiles &&) = delete;
    ~StagedFiles();

    /// Where the file `own` is read.
    [[nodiscard]] std::string path_of(const std::string &own) const;

    /// A message with the files' own paths in the places of those of copies.
    [[nodiscard]] std::string with_own_paths(std::string message) const;

  private:
    friend class Staging;
    Staging *staging_ = nullptr;            ///< nullptr: the files are read where they lie
    std::vector<std::string> own_, copies_; ///< paths of the files and of their copies
};

/// Copies of input files in a folder of the node, one for each file that units of this process read, however many do.
/// Copies that no unit reads give way to others when there is no room. Thread-safe.
class Staging {
  public:
    /// Makes a folder of this process in that folder, and removes those that processes of this host left behind when
    /// they were killed.
    [[nodiscard]] static Result<std::unique_ptr<Staging>> create(const StagingOptions &options, LogSink log);
    ~Staging(); ///< removes the folder
    Staging(const Staging &) = delete;
    Staging &operator=(const Staging &) = delete;

    /// The choice of a caller while copies that other units read leave no room.
    enum class NoRoom : std::uint8_t {
        wait,
        leave, ///< files are read where they lie: for callers that others may wait for
    };

    /// Copies files that have no copy yet, and waits for room while other units read theirs. Files that do not fit are
    /// read where they lie; a warning says so. Fails when a file cannot be read, when it changes meanwhile, and with
    /// `interrupted` after `stop`.
    [[nodiscard]] Result<StagedFiles> take(std::span<const std::string> paths, const std::function<bool()> &stop,
                                           NoRoom no_room = NoRoom::wait);

    /// The digest of the file's content, as it was when it was copied; nothing when there is no copy of what the file
    /// looks like now.
    [[nodiscard]] std::optional<std::string> digest(const InputRecord &seen) const;

  private:
    struct Copy {
        InputRecord seen;           ///< with its digest when it is complete
        std::filesystem::path path; ///< in a folder of its own, under the name of the file
        int users = 0;
        std::uint64_t last_use = 0;
        bool filling = false, complete = false;
    };
    friend class StagedFiles;

    Staging(std::filesystem::path folder, std::uint64_t most_bytes, LogSink log);
    bool make_room(std::uint64_t bytes, std::span<const InputRecord> wanted);
    bool find_room(std::span<const InputRecord> files);
    [[nodiscard]] Result<bool> reserve(std::span<const InputRecord> files, const std::function<bool()> &stop,
                                       NoRoom no_room);
    Result<bool> fill(const InputRecord &seen, const std::function<bool()> &stop);
    void remove(const std::string &path);
    void give_back(std::span<const std::string> paths);

    const std::filesystem::path folder_;
    const std::uint64_t most_bytes_;
    const LogSink log_;
    mutable std::mutex mutex_; ///< guards the members below
    std::condition_variable changed_;
    std::map<std::string, Copy> copies_; ///< by the file's own path
    std::uint64_t bytes_ = 0, uses_ = 0, names_ = 0;
};

} // namespace isovmaf::batch
