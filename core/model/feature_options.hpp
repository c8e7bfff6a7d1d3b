// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"
#include "model/model.hpp"

namespace isovmaf {

/// Replaces options in every input that comes from the request's feature, and returns whether there is one. Options are
/// not checked. A feature that this build does not have is recognised by its name within the input's name.
bool overlay_unchecked(std::vector<ModelInput> &inputs, const FeatureRequest &request);

/// Replaces options of the model by those of a request, in every input that comes from the named feature. Fails when
/// the model has no input from that feature, and when the feature does not know the option. The message of an error
/// begins with `origin`.
[[nodiscard]] Result<void> overlay_feature_options(std::vector<ModelInput> &inputs,
                                                   std::span<const FeatureRequest> requests, const std::string &origin);

} // namespace isovmaf
