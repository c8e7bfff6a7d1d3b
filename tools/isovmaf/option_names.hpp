// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "isovmaf/result.hpp"

namespace CLI {
class App;
}

/// Names on the command line that CLI11 would not understand.
namespace isovmaf::tool {

/// Completes unique abbreviations of long options: --out becomes --output. `arguments` are those behind the program's
/// name. Fails on an unknown command or option and on an ambiguous abbreviation, where the error names what was
/// probably meant, and on an option without its value.
[[nodiscard]] Result<std::vector<std::string>> complete_option_names(CLI::App &app, std::vector<std::string> arguments);

} // namespace isovmaf::tool
