// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diff/result.hpp"
#include "report/report.hpp"
#include "tools/isovmaf/diff_arguments.hpp"

namespace isovmaf::tool {

/// Reports that were asked for, as files that are known to be writable before the work.
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
