// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace isovmaf::tool {

/// A sentence about a command line that CLI11 refused: what is wrong, and what to do. `app` is the program as CLI11
/// left it, which knows what was given.
[[nodiscard]] std::string usage_error(CLI::App &app, const CLI::ParseError &error);

} // namespace isovmaf::tool
