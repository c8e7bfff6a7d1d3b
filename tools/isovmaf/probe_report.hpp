// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "input/libav/describe_file.hpp"

namespace isovmaf::tool {

/// Descriptions of files as text for people, and as JSON.
[[nodiscard]] std::string probe_text(const std::vector<FileDescription> &files);
[[nodiscard]] std::string probe_json(const std::vector<FileDescription> &files);

} // namespace isovmaf::tool
