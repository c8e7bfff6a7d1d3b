// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "input/libav/frame_times.hpp"

#include <algorithm>
#include <cmath>

namespace isovmaf {

namespace {

constexpr std::size_t least_times = 8;
constexpr double time_rounding = 0.001;            ///< seconds; Matroska and FLV have milliseconds
constexpr double least_gap_ratio = 1.5;            ///< of the largest distance to the least one
constexpr std::int64_t most_units = 1'000'000'000; ///< so that products fit 64 bits

bool gaps_vary(const std::vector<std::int64_t> &times, double time_base) {
    std::int64_t least = times[1] - times[0], largest = least;
    for (std::size_t n = 2; n < times.size(); n++) {
        least = std::min(least, times[n] - times[n - 1]);
        largest = std::max(largest, times[n] - times[n - 1]);
    }
    return static_cast<double>(largest) * time_base >
           least_gap_ratio * static_cast<double>(least) * time_base + 2 * time_rounding;
}

} // namespace

bool fits_rate(const std::vector<std::int64_t> &times, const Rational &time_base, const Rational &rate) {
    for (std::size_t n = 0; n < times.size(); n++) {
        const double seconds = static_cast<double>(times[n] - times[0]) * time_base.value();
        if (std::abs(seconds - static_cast<double>(n) / rate.value()) > 0.5 / rate.value() + time_rounding)
            return false;
    }
    return times.size() > 1;
}

std::optional<Rational> variable_rate(std::vector<std::int64_t> times, const Rational &time_base,
                                      const Rational &stated) {
    std::ranges::sort(times);
    if (times.size() < least_times || std::ranges::adjacent_find(times) != times.end() || stated.value() <= 0 ||
        fits_rate(times, time_base, stated) || !gaps_vary(times, time_base.value()))
        return std::nullopt;
    const std::int64_t units = times.back() - times.front();
    if (units > most_units || time_base.numerator > most_units)
        return std::nullopt;
    return Rational{static_cast<std::int64_t>(times.size() - 1) * time_base.denominator, units * time_base.numerator};
}

} // namespace isovmaf
