// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <optional>
#include <string>

#include "report/report.hpp"
#include "tools/isovmaf/report_paths.hpp"

namespace isovmaf::tool {

/// A file that `isovmaf score` writes. It is opened before the run, so that a bad path is found early.
class ScoreFile {
  public:
    /// No file without a path. `earlier` has the paths of the other files of the run.
    [[nodiscard]] static Result<ScoreFile> create(const std::optional<std::string> &path, const ReportRules &rules,
                                                  ReportPaths &earlier);

    [[nodiscard]] bool wanted() const { return file_.has_value(); }

    /// Whether the file is standard output, which nothing else may be printed on.
    [[nodiscard]] bool is_standard_output() const { return is_standard_output_; }

    /// Writes the file. That of an interrupted run gets a name of its own, which is added to the list `kept`: "a.json
    /// and a.html".
    Result<void> write(const std::string &text, bool incomplete, std::string &kept);

  private:
    std::optional<ReportFile> file_;
    bool is_standard_output_ = false;
};

} // namespace isovmaf::tool
