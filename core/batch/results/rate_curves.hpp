// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>

#include "batch/results/batch_page.hpp"

namespace isovmaf::batch {

/// A chart for each reference that has rows with different bit rates, up to 50, with the BD-rate of each curve against
/// the first one, or why there is none. Says how many charts are left out. Empty when there are none.
[[nodiscard]] std::string rate_curves_html(std::span<const PageRow> rows);

/// The style sheet of the charts.
[[nodiscard]] std::string rate_curves_style();

} // namespace isovmaf::batch
