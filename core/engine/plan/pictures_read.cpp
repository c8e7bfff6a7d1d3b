// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/pictures_read.hpp"

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"

namespace isovmaf {

namespace {

Result<EnginePlan> plan_of(const ScoringOptions &options, const VideoFormat &format) {
    return make_plan(TRY(load_requested(options)).features, {format, options.semantics});
}

} // namespace

Result<std::vector<std::string>> features_reading_chroma(const ScoringOptions &options, const VideoFormat &format) {
    const EnginePlan plan = TRY(plan_of(options, format));
    std::vector<std::string> names;
    for (const PlannedFeature &planned : plan.features)
        if (planned.plan.planes == PlaneUse::all)
            names.emplace_back(planned.feature->name);
    return names;
}

std::function<Result<std::vector<std::string>>(const VideoFormat &)> chroma_readers_of(const ScoringOptions &options) {
    return [options](const VideoFormat &format) { return features_reading_chroma(options, format); };
}

Result<EarlierFrames> earlier_frames_read(const ScoringOptions &options, const VideoFormat &format) {
    return TRY(plan_of(options, format)).earlier();
}

} // namespace isovmaf
