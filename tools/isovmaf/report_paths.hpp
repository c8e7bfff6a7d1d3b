// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "isovmaf/result.hpp"

namespace isovmaf::tool {

/// The paths of the reports of one run. Two reports in one file would leave one of them.
class ReportPaths {
  public:
    /// Fails with invalid_argument when an earlier report has the path. /dev/null may be named several times.
    Result<void> add(const std::string &path);

  private:
    std::vector<std::filesystem::path> earlier_;
};

} // namespace isovmaf::tool
