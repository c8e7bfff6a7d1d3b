// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "tools/isovmaf/report_paths.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "report/report.hpp"

namespace isovmaf::tool {

Result<void> ReportPaths::add(const std::string &path) {
    const std::filesystem::path name = names_standard_output(path) ? std::filesystem::path("/dev/stdout")
                                                                   : std::filesystem::absolute(path).lexically_normal();
    std::error_code error;
    const bool several = name != "/dev/stdout" && std::filesystem::is_character_file(name, error); // such as /dev/null
    if (several)
        return {};
    if (std::ranges::find(earlier_, name) != earlier_.end())
        return fail(ErrorCode::invalid_argument, fmt::format("two reports cannot be written to {}", path));
    earlier_.push_back(name);
    return {};
}

} // namespace isovmaf::tool
