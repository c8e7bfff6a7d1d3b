// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <vector>

namespace isovmaf {

/// Taps of SpEED's Gaussian filters for one kernelscale: odd counts, each sums to about 1 (speed.md §3).
struct SpeedTaps {
    std::vector<float> low_pass, local_mean;
};
[[nodiscard]] SpeedTaps speed_taps(double kernelscale);

/// The kernelscales that there are.
[[nodiscard]] std::span<const double> speed_kernelscales();

/// Whether a kernelscale is one of them, within SPEED_SAME_SCALE.
[[nodiscard]] bool is_speed_kernelscale(double kernelscale);

} // namespace isovmaf
