// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include "golden/golden_file.hpp"
#include "stored/stored_report.hpp"

namespace isovmaf {

/// The scores of a golden clip as a report whose numbers have all bits.
[[nodiscard]] StoredReport stored_report(const GoldenClip &clip);

} // namespace isovmaf
