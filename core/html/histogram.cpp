// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "html/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "html/heat_scale.hpp"
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

} // namespace isovmaf
