// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <vector>

#include "features/speed/speed.hpp"

namespace isovmaf {

/// Where the samples of one axis come from when a picture is resized (speed.md §4): sample i of the result is made
/// of `taps` samples of the source, at `index[i * taps]` and so on, with the weights at the same places.
struct SpeedAxis {
    int taps = 0;
    std::vector<std::int32_t> index;
    std::vector<float> weight;
};
[[nodiscard]] SpeedAxis speed_axis(SpeedMethod method, int source_size, int size);

/// One sample of the result: `at(row, column)` is a sample of the source, `y` and `x` are places in the axes.
template <class At>
[[nodiscard]] float speed_resample(SpeedMethod method, const SpeedAxis &down, const SpeedAxis &across, int y, int x,
                                   const At &at) {
    float sum = 0, weights = 0;
    for (int j = y * down.taps; j < (y + 1) * down.taps; j++)
        for (int i = x * across.taps; i < (x + 1) * across.taps; i++) {
            const auto tj = static_cast<std::size_t>(j), ti = static_cast<std::size_t>(i);
            const float weight = across.weight[ti] * down.weight[tj];
            sum += at(down.index[tj], across.index[ti]) * weight;
            weights += weight;
        }
    return method == SpeedMethod::lanczos4 ? sum / weights : sum;
}

} // namespace isovmaf
