// SPDX-License-Identifier: BSD-2-Clause-Patent
// Weights of resized samples: speed.md §4.
#include "features/speed/speed_resample.hpp"

#include <cmath>

#include "math/math.hpp"

namespace isovmaf {

namespace {

constexpr double pi = 3.14159265358979323846;

/// A place in the source for sample `i` of the result.
float source_place(int i, float ratio) { return static_cast<float>((i + 0.5) * ratio - 0.5); }

/// The sample that stands for one at `place`, a whole number that may lie outside.
int mirrored(float place, int size) {
    const auto last = static_cast<float>(size - 1);
    return static_cast<int>(place < 0 ? -place : place > last ? 2 * last - place : place);
}

float cubic_weight(float x) {
    constexpr float a = SPEED_BICUBIC_A;
    const float t = std::abs(x);
    if (t < 1)
        return ((a + 2) * t - (a + 3)) * t * t + 1;
    return t < 2 ? (((t - 5) * t + 8) * t - 4) * a : 0;
}

float lanczos_weight(float x) {
    constexpr double lobes = SPEED_LANCZOS_LOBES;
    if (x == 0)
        return 1;
    if (std::abs(x) >= SPEED_LANCZOS_LOBES)
        return 0;
    const double angle = pi * x;
    return static_cast<float>(lobes * math::sin(angle) * math::sin(angle / lobes) / (pi * pi * x * x));
}

/// Appends the samples around a place, from `first` to `last` beside the one below it, and their weights.
template <class Weight>
void add_window(SpeedAxis &axis, float place, int first, int last, int source_size, const Weight &weight) {
    const float below = std::floor(place), fraction = place - below;
    for (int i = first; i <= last; i++) {
        const auto step = static_cast<float>(i);
        axis.index.push_back(mirrored(below + step, source_size));
        axis.weight.push_back(weight(step - fraction));
    }
}

void add_bilinear(SpeedAxis &axis, float place, int source_size) {
    const int low = mirrored(std::floor(place), source_size), high = mirrored(std::ceil(place), source_size);
    const float fraction = place - static_cast<float>(low); // beyond 0 to 1 where `low` was mirrored
    axis.index.insert(axis.index.end(), {low, high});
    axis.weight.insert(axis.weight.end(), {1 - fraction, fraction});
}

} // namespace

SpeedAxis speed_axis(SpeedMethod method, int source_size, int size) {
    const float ratio = static_cast<float>(source_size) / static_cast<float>(size);
    SpeedAxis axis;
    for (int i = 0; i < size; i++)
        switch (method) {
        case SpeedMethod::nearest:
            axis.index.push_back(static_cast<int>(static_cast<float>(i) * ratio));
            axis.weight.push_back(1);
            break;
        case SpeedMethod::bilinear:
            add_bilinear(axis, source_place(i, ratio), source_size);
            break;
        case SpeedMethod::bicubic:
            add_window(axis, source_place(i, ratio), -1, 2, source_size, cubic_weight);
            break;
        case SpeedMethod::lanczos4:
            add_window(axis, source_place(i, ratio), -SPEED_LANCZOS_LOBES, SPEED_LANCZOS_LOBES, source_size,
                       lanczos_weight);
            break;
        }
    axis.taps = static_cast<int>(axis.index.size()) / size;
    return axis;
}

} // namespace isovmaf
