// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/predictor.hpp"

#include <array>
#include <cassert>

namespace isovmaf {

namespace {

/// Replaces the chroma score when it is 0. The score was rescaled and is scaled back here, so that a 0 is recognised
/// only where the two rescalings cancel exactly.
void correct_chroma(const ChromaCorrection &correction, std::span<const Rescale> scales, std::span<double> z) {
    const Rescale &guided = scales[correction.guided];
    if (guided.invert(z[correction.guided]) != 0)
        return;
    const double guide = scales[correction.guide].invert(z[correction.guide]);
    z[correction.guided] = guided.apply(-correction.parameter * guide + correction.parameter);
}

} // namespace

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
