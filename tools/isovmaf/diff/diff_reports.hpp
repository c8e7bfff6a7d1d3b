// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diff/result.hpp"
#include "report/report.hpp"
#include "tools/isovmaf/diff/diff_arguments.hpp"

namespace isovmaf::tool {

/// The reports that were asked for. Their files are opened before the comparison, so that a bad path is found early.
class DiffReports {
  public:
    [[nodiscard]] static Result<DiffReports> create(const DiffArguments &arguments);

    Result<void> write(const diff::DiffResult &result);

    [[nodiscard]] bool on_standard_output() const { return on_standard_output_; }

  private:
    using Writer = std::string (*)(const diff::DiffResult &);

    std::vector<std::pair<ReportFile, Writer>> files_;
    bool on_standard_output_ = false;
};

} // namespace isovmaf::tool
