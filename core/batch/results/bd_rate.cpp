// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/bd_rate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "math/math.hpp"

namespace isovmaf::batch {

namespace {

constexpr std::size_t least_points = 4;

/// The logarithm of the bit rate as a function of the score. Both grow from point to point, so secants are not
/// negative.
class LogRate {
  public:
    explicit LogRate(std::span<const RatePoint> points) {
        score_.push_back(points.front().score);
        rate_.push_back(log_of_ratio(points.front().bit_rate, 1));
        for (std::size_t i = 1; i < points.size(); i++) {
            const double growth = log_of_ratio(points[i].bit_rate, points[i - 1].bit_rate);
            score_.push_back(points[i].score);
            rate_.push_back(rate_.back() + growth);
            secant_.push_back(growth / width(i - 1));
        }
        slope_.push_back(end_slope(0, 1));
        for (std::size_t i = 1; i + 1 < score_.size(); i++)
            slope_.push_back(inner_slope(i));
        slope_.push_back(end_slope(secant_.size() - 1, secant_.size() - 2));
    }

    [[nodiscard]] double lowest() const { return score_.front(); }
    [[nodiscard]] double highest() const { return score_.back(); }

    [[nodiscard]] double integral(double low, double high) const {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < score_.size(); i++) {
            const double from = std::max(low, score_[i]), to = std::min(high, score_[i + 1]);
            if (from < to)
                sum += antiderivative(i, to) - antiderivative(i, from);
        }
        return sum;
    }

  private:
    [[nodiscard]] double width(std::size_t piece) const { return score_[piece + 1] - score_[piece]; }

    /// Fritsch and Butland: the weighted harmonic mean of both secants. A secant of 0 gives 0.
    [[nodiscard]] double inner_slope(std::size_t i) const {
        const double a = 2 * width(i) + width(i - 1), b = width(i) + 2 * width(i - 1);
        return (a + b) / (a / secant_[i - 1] + b / secant_[i]);
    }

    /// The slope at an end of the piece `end`, from three points, limited so that the curve stays monotone: it is less
    /// than twice the secant.
    [[nodiscard]] double end_slope(std::size_t end, std::size_t next) const {
        const double slope =
            ((2 * width(end) + width(next)) * secant_[end] - width(end) * secant_[next]) / (width(end) + width(next));
        return std::max(slope, 0.0);
    }

    /// Of the cubic piece `i`, from its start.
    [[nodiscard]] double antiderivative(std::size_t i, double score) const {
        const double x = score - score_[i], h = width(i);
        const double c = (3 * secant_[i] - 2 * slope_[i] - slope_[i + 1]) / h;
        const double d = (slope_[i] + slope_[i + 1] - 2 * secant_[i]) / (h * h);
        return x * (rate_[i] + x * (slope_[i] / 2 + x * (c / 3 + x * d / 4)));
    }

    std::vector<double> score_, rate_, secant_, slope_;
};

/// Why no rate can be computed from these points; empty when one can.
std::string fault_of(std::span<const RatePoint> points, std::string_view name) {
    if (points.size() < least_points)
        return fmt::format("the {} has {}, and {} are needed", name,
                           points.size() == 1 ? "1 point" : fmt::format("{} points", points.size()), least_points);
    for (std::size_t i = 0; i + 1 < points.size(); i++) {
        if (points[i].bit_rate == points[i + 1].bit_rate)
            return fmt::format("the {} has two points with the bit rate {:g}", name, points[i].bit_rate);
        if (!(points[i].score < points[i + 1].score))
            return fmt::format("the score of the {} does not grow from the bit rate {:g} to {:g}", name,
                               points[i].bit_rate, points[i + 1].bit_rate);
    }
    if (!std::isfinite(points.front().score) || !std::isfinite(points.back().score))
        return fmt::format("a score of the {} is infinite", name);
    return {};
}

} // namespace

tl::expected<double, std::string> bd_rate(std::span<const RatePoint> anchor, std::span<const RatePoint> tested) {
    for (const auto &[points, name] : {std::pair(anchor, "anchor"), std::pair(tested, "curve")})
        if (std::string fault = fault_of(points, name); !fault.empty())
            return tl::unexpected(std::move(fault));
    const LogRate a(anchor), t(tested);
    const double low = std::max(a.lowest(), t.lowest()), high = std::min(a.highest(), t.highest());
    if (low >= high)
        return tl::unexpected(fmt::format("no score is reached by both: the anchor has {:g} to {:g}, the curve {:g} to "
                                          "{:g}",
                                          a.lowest(), a.highest(), t.lowest(), t.highest()));
    return (math::exp((t.integral(low, high) - a.integral(low, high)) / (high - low)) - 1) * 100;
}

std::vector<RateChart> rate_charts(std::span<const PageRow> rows) {
    std::vector<RateChart> charts;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> places; // by texts of `rows`
    for (const PageRow &row : rows) {
        if (!row.row.bit_rate || !std::isfinite(row.pooled.mean))
            continue;
        const auto [place, added] = places.try_emplace({row.row.reference, row.score}, charts.size());
        if (added)
            charts.push_back({row.row.reference, row.score, {}});
        std::vector<RateCurve> &curves = charts[place->second].curves;
        auto curve = std::ranges::find(curves, row.row.label, &RateCurve::label);
        if (curve == curves.end())
            curve = curves.insert(curve, {row.row.label, {}});
        curve->points.push_back({*row.row.bit_rate, row.pooled.mean});
    }
    for (RateChart &chart : charts)
        for (RateCurve &curve : chart.curves)
            std::ranges::stable_sort(curve.points, {}, &RatePoint::bit_rate);
    return charts;
}

} // namespace isovmaf::batch
