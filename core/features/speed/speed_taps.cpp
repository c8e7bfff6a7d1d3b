// SPDX-License-Identifier: BSD-2-Clause-Patent
// Gaussian taps: speed.md §3.
#include "features/speed/speed_taps.hpp"

#include <algorithm>
#include <cmath>

#include "features/speed/speed_math.h"
#include "math/math.hpp"

namespace isovmaf {

namespace {

constexpr double kernelscales[] = {1,       1.0 / 2, 3.0 / 2,  2,        2.0 / 3,  2.4,      360.0 / 97,
                                   4.0 / 3, 3.5 / 3, 3.75 / 3, 4.25 / 3, 5.0 / 3,  3,        1 / 2.25,
                                   1.4746,  1.54,    1.6,      1.06667,  0.711111, 0.740740, 1.111111};

constexpr double pi = 3.14159265358979323846;

/// The next odd integer from `reach` times the kernelscale on.
int tap_count(float reach, float kernelscale) {
    const int count = static_cast<int>(std::ceil(reach * kernelscale));
    return std::max(count % 2 == 0 ? count + 1 : count, SPEED_FEWEST_TAPS);
}

std::vector<float> gaussian(int count, float deviation) {
    const auto width = static_cast<float>(1.0 / (deviation * std::sqrt(2 * pi)));
    std::vector<float> taps;
    float sum = 0;
    for (int i = 0; i < count; i++) {
        const double x = i - (count - 1) / 2;
        const auto height = static_cast<float>(math::exp(-0.5 * x / deviation * x / deviation));
        taps.push_back(height / width);
        sum += taps.back();
    }
    for (float &tap : taps)
        tap /= sum;
    return taps;
}

} // namespace

SpeedTaps speed_taps(double kernelscale) {
    const auto scale = static_cast<float>(kernelscale);
    const int low_pass = tap_count(SPEED_LOW_PASS_REACH, scale), local_mean = tap_count(SPEED_LOCAL_MEAN_REACH, scale);
    return {gaussian(low_pass, static_cast<float>(2.0 * low_pass / 5.0)),
            gaussian(local_mean, static_cast<float>(local_mean) / 5.0F)};
}

std::span<const double> speed_kernelscales() { return kernelscales; }

bool is_speed_kernelscale(double kernelscale) {
    return std::ranges::any_of(kernelscales,
                               [&](double scale) { return std::abs(kernelscale - scale) < SPEED_SAME_SCALE; });
}

} // namespace isovmaf
