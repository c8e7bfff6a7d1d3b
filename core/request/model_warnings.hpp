// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "input/pair/pair_warning.hpp"
#include "isovmaf/request.hpp"
#include "isovmaf/video_format.hpp"

namespace isovmaf {

/// A warning for each built-in model that has a twin for pictures such as these: with 2160 rows or more, at about 50 or
/// 60 frames per second, or at fewer. It names the twin; there is none where the twin is asked for too. `rate` is in
/// frames per second, 0 when it is not known.
[[nodiscard]] std::vector<PairWarning> model_warnings(const std::vector<ModelRequest> &models,
                                                      const VideoFormat &format, double rate);

} // namespace isovmaf
