// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <string_view>

#include "tools/vmaf/options.hpp"

namespace isovmaf::vmaf {

/// Adds the models and features of a preset. Features that this version does not have go to
/// Options::missing_features. Fails, naming the versions there are, on an unknown version.
Result<void> add_preset(Options &options, std::string_view preset, const std::string &version);

} // namespace isovmaf::vmaf
