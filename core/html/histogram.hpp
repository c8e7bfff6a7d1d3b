// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>

#include "base/ulp.hpp"

namespace isovmaf {

/// Bars of counts by distance, on a log scale. Its classes are those of the style sheet in page.cpp.
[[nodiscard]] std::string histogram_svg(const UlpHistogram &histogram);

} // namespace isovmaf
