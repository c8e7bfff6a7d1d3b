// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "batch/results/bd_rate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace isovmaf::batch {

namespace {

constexpr std::size_t least_points = 4;

/// The logarithm of the bit rate as a function of the score.
class RateCurve {
  public:
    explicit RateCurve(std::span<const RatePoint> points) {
        for (const RatePoint &point : points) {
            score_.push_back(point.score);
            rate_.push_back(std::log(point.bit_rate));
        }
        for (std::size_t i = 0; i + 1 < score_.size(); i++)
            secant_.push_back((rate_[i + 1] - rate_[i]) / (score_[i + 1] - score_[i]));
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

    /// Fritsch and Butland: the weighted harmonic mean of both secants.
    [[nodiscard]] double inner_slope(std::size_t i) const {
        const double before = secant_[i - 1], after = secant_[i];
        if (before * after <= 0)
            return 0;
        const double a = 2 * width(i) + width(i - 1), b = width(i) + 2 * width(i - 1);
        return (a + b) / (a / before + b / after);
    }

    /// The slope at an end of the piece `end`, from three points, limited so that the curve stays monotone.
    [[nodiscard]] double end_slope(std::size_t end, std::size_t next) const {
        const double slope =
            ((2 * width(end) + width(next)) * secant_[end] - width(end) * secant_[next]) / (width(end) + width(next));
        if (slope * secant_[end] <= 0)
            return 0;
        if (secant_[end] * secant_[next] <= 0 && std::abs(slope) > 3 * std::abs(secant_[end]))
            return 3 * secant_[end];
        return slope;
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

bool is_curve(std::span<const RatePoint> points) {
    const auto falls = [](const RatePoint &a, const RatePoint &b) {
        return !(a.bit_rate < b.bit_rate && a.score < b.score);
    };
    return points.size() >= least_points && points.front().bit_rate > 0 &&
           std::ranges::adjacent_find(points, falls) == points.end() && std::isfinite(points.back().score) &&
           std::isfinite(points.front().score);
}

} // namespace

std::optional<double> bd_rate(std::span<const RatePoint> anchor, std::span<const RatePoint> tested) {
    if (!is_curve(anchor) || !is_curve(tested))
        return std::nullopt;
    const RateCurve a(anchor), t(tested);
    const double low = std::max(a.lowest(), t.lowest()), high = std::min(a.highest(), t.highest());
    if (low >= high)
        return std::nullopt;
    return (std::exp((t.integral(low, high) - a.integral(low, high)) / (high - low)) - 1) * 100;
}

} // namespace isovmaf::batch
