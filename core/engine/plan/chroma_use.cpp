// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/chroma_use.hpp"

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"

namespace isovmaf {

Result<std::vector<std::string>> features_reading_chroma(const ScoringOptions &options, const VideoFormat &format) {
    const FeatureSet features = TRY(load_requested(options)).features;
    const EnginePlan plan = TRY(make_plan(features, {format, options.semantics}));
    std::vector<std::string> names;
    for (const PlannedFeature &planned : plan.features)
        if (planned.plan.planes == PlaneUse::all)
            names.emplace_back(planned.feature->name);
    return names;
}

std::function<Result<std::vector<std::string>>(const VideoFormat &)> chroma_readers_of(const ScoringOptions &options) {
    return [options](const VideoFormat &format) { return features_reading_chroma(options, format); };
}

} // namespace isovmaf
