// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/vif/vif_log_lines.h"

#include <algorithm>
#include <cassert>
#include <span>

#include "features/vif/vif.hpp"

namespace isovmaf {

namespace {

using Logs = std::span<const std::uint16_t, VIF_LINE_LOGS>;

/// A line, and how many others of its slope give the same logarithms: the most are the farthest from a wrong one.
struct Line {
    std::int64_t word = 0, alternatives = -1;
};

/// The lowest word of that slope whose logarithms are `logs`.
Line lowest_line(Logs logs, std::int64_t slope) {
    std::int64_t low = 0, end = std::int64_t{1} << 32;
    for (std::int64_t k = 0; k < VIF_LINE_LOGS; k++) {
        const std::int64_t log = logs[static_cast<std::size_t>(k)] - VIF_LINE_ORIGIN, rise = slope * (k << 8);
        low = std::max(low, (log << VIF_LINE_FRACTION_BITS) - rise);
        end = std::min(end, ((log + 1) << VIF_LINE_FRACTION_BITS) - rise);
    }
    constexpr std::int64_t step = std::int64_t{1} << VIF_LINE_SLOPE_BITS;
    const std::int64_t word = (low - slope + step - 1) / step * step + slope;
    return word < end ? Line{word, end - low} : Line{};
}

/// `middle` is the value in the middle of the line.
std::uint32_t find_line(Logs logs, std::int64_t middle) {
    const std::int64_t slope =
        12'102'203 / middle; // 2^12 2048 / ln 2: the derivative of 2048 log2(v) is 2048 / (v ln 2)
    Line best;
    for (std::int64_t near = slope - 8; near <= slope + 8; near++)
        if (const Line line = lowest_line(logs, near); line.alternatives > best.alternatives)
            best = line;
    assert(best.alternatives > 0); // the test of these lines computes all of them
    return static_cast<std::uint32_t>(best.word);
}

} // namespace

const std::array<std::uint32_t, VIF_LINES> &vif_log_lines() {
    static const auto lines = [] {
        const std::span<const std::uint16_t, VIF_LOG_COUNT> logs = vif_log_table();
        std::array<std::uint32_t, VIF_LINES> found{};
        for (std::size_t i = 0; i < found.size(); i++) {
            const std::size_t first = i * VIF_LINE_LOGS;
            found[i] = find_line(Logs(logs.subspan(first, VIF_LINE_LOGS)),
                                 static_cast<std::int64_t>(VIF_LOG_FIRST + first + VIF_LINE_LOGS / 2));
        }
        return found;
    }();
    return lines;
}

} // namespace isovmaf
