// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "report/report.hpp"
#include "tools/isovmaf/report_paths.hpp"

namespace isovmaf::tool {

/// How a run ended whose scores are written.
enum class RunEnd : std::uint8_t { complete, interrupted, failed };

/// A file that `isovmaf score` writes. It is opened before the run, so that a bad path is found early.
class ScoreFile {
  public:
    /// No file without a path. `earlier` has the paths of the other files of the run.
    [[nodiscard]] static Result<ScoreFile> create(const std::optional<std::string> &path, const ReportRules &rules,
                                                  ReportPaths &earlier);

    [[nodiscard]] bool wanted() const { return file_.has_value(); }

    /// Whether the file is written after this end. A run that fails keeps its scores under a name of their own alone:
    /// nothing tells those who read a pipe that the run has failed.
    [[nodiscard]] bool wanted_after(RunEnd end) const {
        return file_ && (end != RunEnd::failed || file_->has_partial_name());
    }

    /// Whether the file is standard output, which nothing else may be printed on.
    [[nodiscard]] bool is_standard_output() const { return is_standard_output_; }

    /// Writes the file if it is wanted after this end. That of a run that did not complete gets a name of its own,
    /// which is added to the list `kept`: "a.json and a.html".
    Result<void> write(const std::function<std::string()> &make_text, RunEnd end, std::string &kept);

  private:
    std::optional<ReportFile> file_;
    bool is_standard_output_ = false;
};

/// A sentence about the files in which a run that failed has kept its scores.
[[nodiscard]] std::string kept_text(const Report &report, const std::string &kept);

} // namespace isovmaf::tool
