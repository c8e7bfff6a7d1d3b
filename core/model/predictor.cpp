// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/predictor.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <utility>

#include "math/math.hpp"

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

/// Replaces the chroma score when it is 0. The score was rescaled and is scaled back here, so that a 0 is recognised
/// only where the two rescalings cancel exactly.
void correct_chroma(const ChromaCorrection &correction, std::span<const Rescale> scales, std::span<double> z) {
    const Rescale &guided = scales[correction.guided];
    if (guided.invert(z[correction.guided]) != 0)
        return;
    const double guide = scales[correction.guide].invert(z[correction.guide]);
    z[correction.guided] = guided.apply(-correction.parameter * guide + correction.parameter);
}

double squared_distance(std::span<const double> z, const double *vector) {
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); i++) {
        const double difference = z[i] - vector[i];
        sum += difference * difference;
    }
    return sum;
}

} // namespace

double Svr::predict(std::span<const double> z) const {
    assert(z.size() == dimension);
    const math::Functions &functions = math::functions();
    std::array<double, 64> distances; // of some vectors: processors overlap more of two short loops than of one
    const double *vector = vectors.data();
    double sum = 0;
    for (std::span<const double> left = coefficients; !left.empty();) {
        const std::span<const double> block = left.first(std::min(left.size(), distances.size()));
        left = left.subspan(block.size());
        for (std::size_t i = 0; i < block.size(); i++)
            distances[i] = squared_distance(z, std::exchange(vector, vector + dimension));
        for (std::size_t i = 0; i < block.size(); i++)
            sum += block[i] * functions.exp(-gamma * distances[i]);
    }
    return sum - rho;
}

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

double Predictor::raw_score(std::span<const double> values) const {
    assert(values.size() == features.size() && features.size() <= max_model_features);
    std::array<double, max_model_features> storage;
    const std::span<double> z(storage.data(), features.size());
    for (std::size_t i = 0; i < z.size(); i++)
        z[i] = features[i].apply(values[i]);
    if (chroma_correction)
        correct_chroma(*chroma_correction, features, z);
    return score.invert(svr.predict(z));
}

double Predictor::final_score(double raw) const {
    const double transformed = transform ? transform->apply(raw) : raw;
    return clip ? clip->apply(transformed) : transformed;
}

} // namespace isovmaf
