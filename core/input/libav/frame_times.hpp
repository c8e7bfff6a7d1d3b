// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "input/source_info.hpp"

namespace isovmaf {

/// Whether a rate shows each frame within half a frame of its time. Times are ascending, in units of `time_base`; false
/// when there are fewer than two.
[[nodiscard]] bool fits_rate(const std::vector<std::int64_t> &times, const Rational &time_base, const Rational &rate);

/// The average rate of frames that come at varying distances: of the presentation times of a video's first packets, in
/// any order, in units of `time_base`. Nothing when the distances are equal but for jitter, when each frame is within
/// half a frame of where the rate `stated` puts it, or when the times are too few or are not all different.
[[nodiscard]] std::optional<Rational> variable_rate(std::vector<std::int64_t> times, const Rational &time_base,
                                                    const Rational &stated);

} // namespace isovmaf
