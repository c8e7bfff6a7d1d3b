// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <map>
#include <mutex>

#include "batch/manifest/row.hpp"
#include "request/pair_job.hpp"

namespace isovmaf::batch {

/// Turns rows into jobs. Options are parsed once for all rows that have the same ones. Thread-safe.
class RowJobs {
  public:
    /// Relative paths of videos start from `base`.
    explicit RowJobs(std::filesystem::path base) : base_(std::move(base)) {}

    /// Fails when the row's options are wrong. The videos and models are not looked at.
    [[nodiscard]] Result<PairJob> make(const Row &row, const ExecutionOptions &execution = {});

  private:
    /// The options of rows as a job without videos.
    [[nodiscard]] Result<PairJob> parsed(const Fields &options);

    const std::filesystem::path base_;
    std::mutex mutex_; ///< guards `jobs_`
    std::map<Fields, Result<PairJob>> jobs_;
};

} // namespace isovmaf::batch
