// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "isovmaf/frame.hpp"
#include "isovmaf/request.hpp"

namespace isovmaf {

/// A sentence that names the model for 4K screens, for videos of 2160 rows or more that are scored with a model made
/// for 1080 rows. Empty for other videos, for other models, and where that model is asked for too.
[[nodiscard]] std::string model_hint(const std::vector<ModelRequest> &models, const VideoFormat &format);

} // namespace isovmaf
