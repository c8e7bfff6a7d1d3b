// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "isovmaf/result.hpp"

namespace isovmaf::batch {

/// Locks that the processes of one user on one host share, one for each byte of a file. The kernel frees the locks of a
/// process that ends, however it ends. The file lies in a folder of the host, /tmp/isovmaf-UID: file systems of several
/// hosts have such locks on some sites only. It is removed with the last process that has it open, or by
/// the next one that opens any such file where that process was killed. Thread-safe: all
/// threads of the object have the same locks.
class LockFile {
  public:
    enum class Mode : std::uint8_t { shared, exclusive };

    /// The file of a run folder for one purpose, such as "units": processes with equal texts share it. Two folders of
    /// this host have different files, and one folder has the same whatever path leads to it.
    [[nodiscard]] static Result<std::unique_ptr<LockFile>> open(const std::filesystem::path &run_folder,
                                                                const std::string &purpose);
    ~LockFile();
    LockFile(const LockFile &) = delete;
    LockFile &operator=(const LockFile &) = delete;

    /// False when another process has the lock. A lock that this object has changes its mode.
    [[nodiscard]] Result<bool> try_lock(std::int64_t number, Mode mode);
    void unlock(std::int64_t number);

    /// While it exists, no other process has one of the file: what one does with several locks, or with a lock and
    /// something else, happens at once for all others that take their turn for it.
    class Turn {
      public:
        explicit Turn(LockFile &file);
        ~Turn();
        Turn(const Turn &) = delete;
        Turn &operator=(const Turn &) = delete;

      private:
        LockFile &file_;
    };

    /// How many of the locks from `first` to before `end` other processes have.
    [[nodiscard]] std::int64_t count_elsewhere(std::int64_t first, std::int64_t end) const;

    /// A number beside each lock, which all processes see: 0 until somebody sets it.
    void mark(std::int64_t number, std::uint8_t value);
    [[nodiscard]] std::uint8_t mark_of(std::int64_t number) const;

  private:
    LockFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

    const std::filesystem::path path_;
    const int descriptor_;
};

} // namespace isovmaf::batch
