// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isovmaf::tool {

/// Values that a shell's completion offers for a long option, without its dashes: names of models, features and
/// backends. The option takes others too. Empty for an option whose values have no list.
[[nodiscard]] std::vector<std::string> suggested_values(std::string_view option);

} // namespace isovmaf::tool
