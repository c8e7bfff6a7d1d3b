// SPDX-License-Identifier: BSD-2-Clause-Patent
// The sum of the largest c-values in libvmaf's order: cambi.md §7.
#include "features/cambi/cambi.hpp"

#include <utility>

namespace isovmaf {

namespace {

/// Moves values until the `count` largest ones come first. Which order they have then decides how their sum is rounded.
void cambi_partition(std::span<float> values, std::size_t count) {
    const auto position = static_cast<std::ptrdiff_t>(count);
    std::ptrdiff_t left = 0, right = static_cast<std::ptrdiff_t>(values.size()) - 1;
    float *const a = values.data();
    while (left < right) {
        const float pivot = a[position];
        std::ptrdiff_t i = left, j = right;
        do {
            while (a[i] > pivot)
                i++;
            while (a[j] < pivot)
                j--;
            if (i <= j)
                std::swap(a[i++], a[j--]);
        } while (i <= j);
        if (j < position)
            left = i;
        if (position < i)
            right = j;
    }
}

} // namespace

double cambi_pooled_sum(std::span<float> values, std::size_t count) {
    if (count < values.size())
        cambi_partition(values, count);
    double sum = 0;
    for (const float value : values.first(count))
        sum += double{value};
    return sum;
}

} // namespace isovmaf
