// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "batch/work/lock_file.hpp"

namespace isovmaf::batch {

/// Who works on a whole run folder: processes of one host, or one MPI job. While this object exists, processes of other
/// hosts are told by the file at-work.json in the folder, and those of this host by a lock. A process that is killed
/// leaves the file: it keeps out no process of its host, and none of the same Slurm job, which is queued again on
/// another host.
class AtWork {
  public:
    enum class Who : std::uint8_t { processes, mpi_job };

    /// Fails with a sentence that names who works there. `take_over`: whatever another host said has ended.
    [[nodiscard]] static Result<std::unique_ptr<AtWork>> begin(const std::filesystem::path &folder, Who who,
                                                               bool take_over);
    ~AtWork();
    AtWork(const AtWork &) = delete;
    AtWork &operator=(const AtWork &) = delete;

  private:
    AtWork(std::filesystem::path note, std::unique_ptr<LockFile> locks)
        : note_(std::move(note)), locks_(std::move(locks)) {}

    const std::filesystem::path note_;
    const std::unique_ptr<LockFile> locks_;
};

} // namespace isovmaf::batch
