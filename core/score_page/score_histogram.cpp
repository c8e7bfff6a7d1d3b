// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "html/page.hpp"
#include "report/number_text.hpp"
#include "score_page/charts.hpp"

namespace isovmaf {

namespace {

constexpr int most_labels = 8;
constexpr std::size_t most_bars = 40;
constexpr double bars_width = 440, bars_height = 110, bars_left = 16; ///< in CSS pixels

struct Bars {
    ScoreAxis axis;
    std::vector<std::int64_t> counts;

    [[nodiscard]] double score_at(std::size_t bar) const {
        return axis.low + (axis.high - axis.low) * static_cast<double>(bar) / static_cast<double>(counts.size());
    }
};

/// Each step of the axis has the same number of bars.
Bars count_scores(const ShownColumn &column) {
    Bars bars{axis_of(column.scores, most_labels), {}};
    const auto steps = static_cast<std::size_t>(std::round((bars.axis.high - bars.axis.low) / bars.axis.step));
    bars.counts.resize(steps * std::max<std::size_t>(1, most_bars / steps));
    for (const double score : column.scores)
        if (std::isfinite(score)) {
            const double place = std::clamp(bars.axis.place(score), 0.0, 1.0);
            const auto bar = static_cast<std::size_t>(place * static_cast<double>(bars.counts.size()));
            bars.counts[std::min(bar, bars.counts.size() - 1)]++;
        }
    return bars;
}

std::string bar_text(const Bars &bars, std::size_t bar) {
    return fmt::format("{:.6g} to {:.6g}: {}", bars.score_at(bar), bars.score_at(bar + 1),
                       counted(bars.counts[bar], "frame"));
}

} // namespace

std::string score_histogram_svg(const ShownColumn &column) {
    const Bars bars = count_scores(column);
    const auto most = static_cast<double>(std::max<std::int64_t>(1, *std::ranges::max_element(bars.counts)));
    const double pitch = bars_width / static_cast<double>(bars.counts.size()), bottom = bars_height + 16;
    std::string out =
        fmt::format("<svg class=histogram role=img aria-label=\"Frames by {}\" "
                    "viewBox=\"0 0 {:.0f} {:.0f}\">\n<path class=grid d=\"M{:.0f} {:.0f}h{:.0f}\"/>\n",
                    html_escape(column.label), bars_left + bars_width + 16, bottom + 20, bars_left, bottom, bars_width);
    for (std::size_t i = 0; i < bars.counts.size(); i++) {
        const double height = bars_height * static_cast<double>(bars.counts[i]) / most;
        if (bars.counts[i] > 0)
            fmt::format_to(std::back_inserter(out),
                           "<rect class=bar x={:.1f} y={:.1f} width={:.1f} height={:.1f}><title>{}</title></rect>\n",
                           bars_left + pitch * static_cast<double>(i) + 0.5, bottom - std::max(height, 1.0), pitch - 1,
                           std::max(height, 1.0), bar_text(bars, i));
    }
    const int steps = static_cast<int>(std::round((bars.axis.high - bars.axis.low) / bars.axis.step));
    for (int i = 0; i <= steps; i++)
        fmt::format_to(std::back_inserter(out), "<text class=mid x={:.1f} y={:.1f}>{}</text>",
                       bars_left + bars_width * i / steps, bottom + 16,
                       axis_label(bars.axis, bars.axis.low + i * bars.axis.step));
    return out + "</svg>\n";
}

} // namespace isovmaf
