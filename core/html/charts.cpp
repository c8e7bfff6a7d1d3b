// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "html/heat_map.hpp"
#include "html/page.hpp"
#include "report/number_text.hpp"

namespace isovmaf {

namespace {

constexpr double plot_left = 44, plot_top = 20, plot_height = 120; ///< of histograms, in CSS pixels
constexpr double least_log = -0.4;                                 ///< below log10(1), so that a bar of 1 is visible
constexpr double infinite_gap = 24; ///< on both sides of the bar of values that are not finite, for its label
constexpr std::size_t fewest_buckets = 8;
constexpr std::size_t most_wide_buckets = 20; ///< with more, bars are too narrow for a number

/// The height of a count on the logarithmic axis.
double height_of(double count, double top_log) {
    return plot_height * (std::log10(count) - least_log) / (top_log - least_log);
}

/// "9.5k": at most four characters.
std::string short_count(std::int64_t count) {
    constexpr std::string_view units = "kMGTPE";
    if (count < 1000)
        return std::to_string(count);
    auto value = static_cast<double>(count);
    std::size_t unit = 0;
    for (value /= 1000; value >= 999.5; value /= 1000)
        unit++;
    const bool whole = value >= 9.95 || value - std::floor(value) < 0.05;
    return fmt::format("{:.{}f}{}", value, whole ? 0 : 1, units[unit]);
}

/// The distances of a bucket in words.
std::string bucket_range(std::size_t bucket) {
    if (bucket == 0)
        return "equal";
    if (bucket == std::tuple_size_v<UlpHistogram> - 1)
        return "NaN or infinite";
    if (bucket == std::tuple_size_v<UlpHistogram> - 2)
        return fmt::format("{} ULP or more", bucket_text(bucket));
    return bucket == 1 ? "1 ULP" : fmt::format("{} to {} - 1 ULP", bucket_text(bucket), bucket_text(bucket + 1));
}

struct Histogram {
    const UlpHistogram &counts;
    std::size_t buckets; ///< how many are shown
    double pitch, top_log;
};

/// Shows the buckets up to the last that is not empty. Values that are not finite have a place of their own at the end.
Histogram measured(const UlpHistogram &counts) {
    std::size_t last = counts.size() - 2;
    while (last > 0 && counts[last] == 0)
        last--;
    const std::size_t buckets = std::max(last + 1, fewest_buckets) + (counts.back() > 0 ? 1 : 0);
    const auto most = static_cast<double>(std::max<std::int64_t>(10, *std::ranges::max_element(counts)));
    return {counts, buckets, buckets <= most_wide_buckets ? 36.0 : 16.0, std::ceil(std::log10(most))};
}

std::string grid_lines(const Histogram &histogram, double width) {
    std::string out;
    const int step = histogram.top_log > 6 ? 2 : 1;
    for (int power = 0; power <= static_cast<int>(histogram.top_log); power += step) {
        const double y = plot_top + plot_height - height_of(std::pow(10.0, power), histogram.top_log);
        fmt::format_to(std::back_inserter(out), "<path class=grid d=\"M{:.1f} {:.1f}H{:.1f}\"/>", plot_left, y, width);
        fmt::format_to(std::back_inserter(out), "<text x={:.1f} y={:.1f} text-anchor=end>{}</text>\n", plot_left - 6,
                       y + 4, short_count(static_cast<std::int64_t>(std::pow(10.0, power))));
    }
    return out;
}

std::string bar(const Histogram &histogram, std::size_t place, std::size_t bucket) {
    const bool wide = histogram.buckets <= most_wide_buckets;
    const double gap = bucket == histogram.counts.size() - 1 ? infinite_gap : 0;
    const double left = plot_left + gap + histogram.pitch * static_cast<double>(place);
    const double middle = left + histogram.pitch / 2, bottom = plot_top + plot_height;
    std::string out;
    if (const std::int64_t count = histogram.counts[bucket]; count > 0) {
        const double height = height_of(static_cast<double>(count), histogram.top_log);
        fmt::format_to(std::back_inserter(out),
                       "<rect class={} x={:.1f} y={:.1f} width={:.1f} height={:.1f}><title>{}: {}</title></rect>",
                       bucket == 0 ? "same" : "apart", left + 2, bottom - height, histogram.pitch - 4, height,
                       bucket_range(bucket), count_text(count));
        if (wide)
            fmt::format_to(std::back_inserter(out), "<text class=count x={:.1f} y={:.1f}>{}</text>", middle,
                           bottom - height - 4, short_count(count));
    }
    if (wide || gap > 0 || place % 4 == 0)
        fmt::format_to(std::back_inserter(out), "<text class=mid x={:.1f} y={:.1f}>{}</text>", middle, bottom + 16,
                       bucket_text(bucket));
    return out.empty() ? out : out + '\n';
}

} // namespace

std::string histogram_svg(const UlpHistogram &histogram) {
    const Histogram shown = measured(histogram);
    const bool infinite = histogram.back() > 0;
    const double width =
        plot_left + shown.pitch * static_cast<double>(shown.buckets) + 4 + (infinite ? 2 * infinite_gap : 0);
    const double height = plot_top + plot_height + 40;
    std::string out = fmt::format("<div class=scroll><svg class=histogram role=img aria-label=\"Values by distance\" "
                                  "width={0:.0f} height={1:.0f} viewBox=\"0 0 {0:.0f} {1:.0f}\">\n",
                                  width, height);
    out += grid_lines(shown, width);
    for (std::size_t place = 0; place < shown.buckets; place++)
        out += bar(shown, place, infinite && place + 1 == shown.buckets ? histogram.size() - 1 : place);
    out +=
        fmt::format("<text x={:.1f} y={:.1f}>distance in ULP, from … on</text></svg></div>\n", plot_left, height - 6);
    return out;
}

namespace {

constexpr std::size_t most_strip_columns = 1000;
constexpr std::size_t most_named_runs = 8;

std::vector<std::uint8_t> strip_levels(std::span<const std::uint8_t> worst) {
    const std::size_t columns = std::min(worst.size(), most_strip_columns);
    std::vector<std::uint8_t> levels(columns);
    for (std::size_t i = 0; i < columns; i++) {
        const std::size_t from = i * worst.size() / columns, to = (i + 1) * worst.size() / columns;
        levels[i] = static_cast<std::uint8_t>(heat_level(*std::max_element(
            worst.begin() + static_cast<std::ptrdiff_t>(from), worst.begin() + static_cast<std::ptrdiff_t>(to))));
    }
    return levels;
}

/// One path per level with a rectangle per run of columns. The worst level is drawn last, over all others.
std::string strip_paths(const std::vector<std::uint8_t> &levels) {
    std::array<std::string, heat_levels> paths;
    for (std::size_t i = 0; i < levels.size();) {
        const std::size_t start = i;
        while (i < levels.size() && levels[i] == levels[start])
            i++;
        fmt::format_to(std::back_inserter(paths[levels[start]]), "M{} 0h{}v1h-{}z", start, i - start, i - start);
    }
    std::string out;
    for (std::size_t level = 1; level < heat_levels; level++)
        if (!paths[level].empty())
            out += fmt::format("<path fill=\"{0}\" stroke=\"{0}\" d=\"{1}\"/>", heat_colour(level), paths[level]);
    return out;
}

/// "3 of 100 frames differ: 2, 5–6"
std::string strip_words(std::span<const std::uint8_t> worst) {
    const auto differing = std::ranges::count_if(worst, [](std::uint8_t bucket) { return bucket != 0; });
    if (differing == 0)
        return fmt::format("all {} equal", counted(static_cast<std::int64_t>(worst.size()), "frame"));
    std::string named;
    std::size_t runs = 0;
    for (std::size_t i = 0; i < worst.size(); i++) {
        const std::size_t start = i;
        while (i < worst.size() && worst[i] != 0)
            i++;
        if (i == start || runs++ >= most_named_runs)
            continue;
        named += fmt::format("{}{}", named.empty() ? "" : ", ", start);
        named += i - start > 1 ? fmt::format("–{}", i - 1) : "";
    }
    const std::string more =
        runs > most_named_runs
            ? fmt::format(" and {} more", count_text(static_cast<std::int64_t>(runs - most_named_runs)))
            : "";
    return fmt::format("{} of {} differ: {}{}", count_text(differing),
                       counted(static_cast<std::int64_t>(worst.size()), "frame"), named, more);
}

} // namespace

std::string strip_html(std::string_view title, std::span<const std::uint8_t> worst) {
    if (worst.empty())
        return {};
    const std::vector<std::uint8_t> levels = strip_levels(worst);
    const std::string words = strip_words(worst);
    return fmt::format("<div class=strip><h3>{}</h3><p>{}</p><svg role=img aria-label=\"{}\" viewBox=\"0 0 {} 1\" "
                       "preserveAspectRatio=none style=\"background:{}\">{}</svg><div "
                       "class=ends><span>0</span><span>{}</span></div></div>\n",
                       html_escape(title), words, words, levels.size(), heat_colour(0), strip_paths(levels),
                       count_text(static_cast<std::int64_t>(worst.size()) - 1));
}

namespace {

constexpr int most_axis_decimals = 9;
constexpr double most_axis_number = 1e15; ///< scores beyond it are drawn at the edge

/// The smallest of 1, 2, 5, 10 times a power of ten that is at least `least`.
double nice_step(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= least)
            return digit * power;
    return 10 * power;
}

} // namespace

ScoreAxis axis_of(std::span<const double> values, int most_steps) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values)
        if (std::isfinite(value)) {
            low = std::min(low, std::clamp(value, -most_axis_number, most_axis_number));
            high = std::max(high, std::clamp(value, -most_axis_number, most_axis_number));
        }
    if (low > high)
        return {};
    const double least_range = std::max(std::abs(high) * 1e-3, 1e-6);
    if (high - low < least_range) {
        low -= least_range / 2;
        high += least_range / 2;
    }
    // Rounding both ends outwards may need one more step than there is room for: then the step grows.
    for (double least = (high - low) / most_steps;; least *= 2) {
        const double step = nice_step(least);
        const ScoreAxis axis{std::floor(low / step) * step, std::ceil(high / step) * step, step};
        if (std::round((axis.high - axis.low) / step) <= most_steps)
            return axis;
    }
}

std::string axis_label(const ScoreAxis &axis, double value) {
    const double digits = std::ceil(-std::log10(axis.step) - 1e-9);
    const int decimals = std::clamp(static_cast<int>(digits), 0, most_axis_decimals);
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    return text.find_first_not_of("-0.") == std::string::npos ? fmt::format("{:.{}f}", 0.0, decimals) : text;
}

} // namespace isovmaf
