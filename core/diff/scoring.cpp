// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/scoring.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"
#include "features/registry.hpp"
#include "frame/validate.hpp"

namespace isovmaf::diff {

namespace {

const std::vector<ModelRequest> &models() {
    static const std::vector<ModelRequest> requests{{.version = "vmaf_v0.6.1", .name = "vmaf"},
                                                    {.version = "vmaf_v0.6.1neg", .name = "vmaf_neg"}};
    return requests;
}

bool has_meaning(const ScoringOptions &options, const VideoFormat &format) {
    const Result<RequestedScores> requested = load_requested(options, format.height);
    if (!requested)
        return false;
    const Result<EnginePlan> plan = make_plan(requested->features, {format, options.semantics});
    return plan && bind_models(requested->models, *plan);
}

/// Whether all features that one request needs run on GPUs. A request that is wrong fails elsewhere.
bool runs_on_gpu(const ScoringOptions &request, const VideoFormat &format) {
    const Result<RequestedScores> requested = load_requested(request, format.height);
    return !requested || std::ranges::all_of(requested->features.entries(),
                                             [](const auto &entry) { return has_kernels(*entry.feature); });
}

} // namespace

ScoringOptions with_kernels(ScoringOptions options, const VideoFormat &format) {
    std::erase_if(options.features,
                  [&](const FeatureRequest &feature) { return !runs_on_gpu({.features = {feature}}, format); });
    std::erase_if(options.models, [&](const ModelRequest &model) { return !runs_on_gpu({.models = {model}}, format); });
    return options;
}

Result<ScoringOptions> score_everything(const VideoFormat &format, Semantics semantics, bool on_gpu) {
    ScoringOptions options{.semantics = semantics};
    const auto add = [&](auto &list, const auto &request) {
        list.push_back(request);
        const bool added = has_meaning(options, format);
        if (!added)
            list.pop_back();
        return added;
    };
    for (const FeatureDescriptor *feature : all_features()) {
        if (on_gpu && !has_kernels(*feature))
            continue;
        const auto add_feature = [&](std::string_view texts) -> Result<bool> {
            return add(options.features, TRY(FeatureRequest::parse(request_text(*feature, texts))));
        };
        // Never both: options that are not part of a score's name are merged, so the fallback's would apply to both.
        if (!TRY(add_feature("")) && !feature->fallback_options.empty())
            TRY(add_feature(feature->fallback_options));
        for (const std::string_view compared : feature->compared_options)
            TRY(add_feature(compared));
    }
    for (const ModelRequest &request : models())
        add(options.models, request);
    if (options.features.empty())
        return fail(ErrorCode::unsupported, "no feature takes pictures of " + format_text(format));
    return options;
}

} // namespace isovmaf::diff
