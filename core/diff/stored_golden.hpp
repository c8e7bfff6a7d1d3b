// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "diff/stored_report.hpp"
#include "golden/golden_file.hpp"

namespace isovmaf::diff {

/// The scores of a golden clip as a report with all their bits.
[[nodiscard]] StoredReport stored_report(const GoldenClip &clip);

} // namespace isovmaf::diff
