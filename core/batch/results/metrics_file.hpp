// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "batch/results/results.hpp"
#include "batch/store/files.hpp"

namespace isovmaf::batch {

/// The state of a run and the scores of its rows as OpenMetrics text, for Prometheus' collector of text files. All
/// metrics are gauges, so that readers of Prometheus' older text format read the same. docs/batch.md lists them. The
/// file appears complete or not at all.
class MetricsFile {
  public:
    [[nodiscard]] static Result<MetricsFile> create(const std::filesystem::path &path, const RunState &state,
                                                    std::size_t in_work);

    /// Adds the scores of a row: the mean, the harmonic mean and the lowest of each score. And counts its warnings.
    Result<void> add(const Row &row, const ScoreTable &table, std::span<const PairWarning> warnings);

    Result<void> commit(); ///< once, after the last row

  private:
    explicit MetricsFile(NewFile file) : file_(std::move(file)) {}

    NewFile file_;
    std::string warnings_; ///< their metrics, which come after those of all scores
};

} // namespace isovmaf::batch
