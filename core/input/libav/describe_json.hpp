// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/libav/describe_file.hpp"

namespace isovmaf {

/// Descriptions of files as JSON. `version` is that of isovmaf.
[[nodiscard]] std::string describe_json(const std::vector<FileDescription> &files, std::string_view version);

} // namespace isovmaf
