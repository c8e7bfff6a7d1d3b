// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"
#include "model/model.hpp"

namespace isovmaf {

/// Lays the options of a request over the model's own, for every input that the named feature gives. An option of a
/// feature that no input comes from is an error, as is one that the feature does not know; features that this build
/// lacks are matched by name. `origin` begins the sentence of an error.
[[nodiscard]] Result<void> overlay_feature_options(std::vector<ModelInput> &inputs,
                                                   std::span<const FeatureRequest> requests, const std::string &origin);

} // namespace isovmaf
