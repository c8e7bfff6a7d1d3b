// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>

namespace isovmaf {

/// A frame with one of the lowest scores.
struct WorstFrame {
    std::int64_t frame = 0;
    double score = 0;
};

} // namespace isovmaf
