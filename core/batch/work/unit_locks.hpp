// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "batch/store/run_folder.hpp"
#include "batch/work/lock_file.hpp"

namespace isovmaf::batch {

/// Which units of a run are in work in the processes of this host. Processes with the same rows, segments and shard see
/// each other's locks; those of other hosts, users or containers do not: two workers with one unit waste work, but
/// their words are equal. Thread-safe; no two threads ask for the same unit.
class UnitLocks {
  public:
    /// The locks of the shard's units.
    [[nodiscard]] static Result<UnitLocks> open(const RunFolder &folder, const Shard &shard);

    /// False when another process has the unit.
    [[nodiscard]] Result<bool> take(std::size_t unit) {
        return file_->try_lock(number(unit), LockFile::Mode::exclusive);
    }

    /// `ended`: stores have its end, which others may want to read.
    void give_back(std::size_t unit, bool ended);

    /// Whether a process has given the unit back since this host's processes began, and stores have its end.
    [[nodiscard]] bool has_ended(std::size_t unit) const { return file_->mark_of(number(unit)) != 0; }

    /// To be called before the results are written, when all units have ended: waits for a process that writes them,
    /// but not for ever, as it may stand still. False when another has written them since this object was opened.
    [[nodiscard]] Result<bool> begin_results();
    void end_results();

    /// How many units of all shards of the same division other processes have.
    [[nodiscard]] std::size_t count_elsewhere() const;

  private:
    static constexpr std::int64_t most_units = std::int64_t{1} << 24; ///< of a shard

    static constexpr std::int64_t results = most_units - 1; ///< its mark counts how often they were written

    UnitLocks(std::unique_ptr<LockFile> file, const Shard &shard)
        : file_(std::move(file)), shard_(shard), results_before_(file_->mark_of(results)) {}
    [[nodiscard]] std::int64_t number(std::size_t unit) const {
        return static_cast<std::int64_t>(shard_.index) * most_units + static_cast<std::int64_t>(unit);
    }

    std::unique_ptr<LockFile> file_;
    Shard shard_;
    std::uint8_t results_before_;
};

} // namespace isovmaf::batch
