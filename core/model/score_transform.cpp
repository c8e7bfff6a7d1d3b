// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/score_transform.hpp"

#include <span>

namespace isovmaf {

namespace {

double polynomial(const ScoreTransform &transform, double score) {
    if (!transform.p0 && !transform.p1 && !transform.p2)
        return score;
    double result = 0;
    if (transform.p0)
        result += *transform.p0;
    if (transform.p1)
        result += *transform.p1 * score;
    if (transform.p2)
        result += *transform.p2 * score * score;
    return result;
}

/// The value at `x` on the line through two knots. The order of operations is libvmaf's: a simpler one would round
/// differently.
double on_line(const Knot &from, const Knot &to, double x) {
    if (from.y == to.y)
        return from.y;
    if (from.x == 0)
        return (to.y - from.y) / to.x * x + from.y;
    const double slope = (to.y - from.y) / (to.x - from.x);
    return slope * x + (from.y - from.x * slope);
}

/// The value at `x` on the line through the last knot not above `x` and the knot after it. The first and the last line
/// extend beyond the knots.
double piecewise_linear(std::span<const Knot> knots, double x) {
    std::size_t segment = knots.size() - 2;
    while (segment > 0 && x < knots[segment].x)
        segment--;
    return on_line(knots[segment], knots[segment + 1], x);
}

} // namespace

double ScoreTransform::apply(double score) const {
    if (!enabled)
        return score;
    double result = polynomial(*this, score);
    if (!knots.empty())
        result = piecewise_linear(knots, result);
    if (out_lte_in && result > score)
        result = score;
    if (out_gte_in && result < score)
        result = score;
    return result;
}

double ScoreClip::apply(double score) const { return score < min ? min : score > max ? max : score; }

} // namespace isovmaf
