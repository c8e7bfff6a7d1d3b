// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "diff/scoring.hpp"

#include "engine/bind_models.hpp"
#include "features/registry.hpp"
#include "frame/validate.hpp"

namespace isovmaf::diff {

namespace {

/// Beside the defaults of every feature.
const std::vector<FeatureRequest> &special_options() {
    static const std::vector<FeatureRequest> requests{
        {"motion", {{"motion_five_frame_window", "true"}}},
        {"vif", {{"vif_enhn_gain_limit", "1.5"}, {"vif_skip_scale0", "true"}}},
        {"adm", {{"adm_csf_mode", "2"}, {"adm_norm_view_dist", "5.0"}}},
        {"psnr", {{"enable_mse", "true"}, {"enable_apsnr", "true"}}},
    };
    return requests;
}

/// Where the defaults of the feature have no meaning. Not beside them: options that are not part of a score's name are
/// merged, and chroma would be left out everywhere.
const std::vector<FeatureRequest> &fallbacks() {
    static const std::vector<FeatureRequest> requests{{"psnr", {{"enable_chroma", "false"}}}};
    return requests;
}

const std::vector<ModelRequest> &models() {
    static const std::vector<ModelRequest> requests{{.version = "vmaf_v0.6.1", .name = "vmaf"},
                                                    {.version = "vmaf_v0.6.1neg", .name = "vmaf_neg"}};
    return requests;
}

bool has_meaning(const SessionOptions &options) {
    FeatureSet features;
    auto loaded = load_models(options, features);
    if (!loaded || !add_requested_features(options.features, features))
        return false;
    const Result<EnginePlan> plan = make_plan(features, {options.format, options.semantics});
    return plan && bind_models(*std::move(loaded), *plan);
}

} // namespace

Result<SessionOptions> score_everything(const VideoFormat &format, Semantics semantics) {
    SessionOptions options{.format = format, .semantics = semantics};
    const auto add = [&](auto &list, const auto &request) {
        list.push_back(request);
        const bool added = has_meaning(options);
        if (!added)
            list.pop_back();
        return added;
    };
    for (const FeatureDescriptor *feature : all_features())
        if (!add(options.features, FeatureRequest{std::string(feature->name), {}}))
            for (const FeatureRequest &request : fallbacks())
                if (request.name == feature->name)
                    add(options.features, request);
    for (const FeatureRequest &request : special_options())
        add(options.features, request);
    for (const ModelRequest &request : models())
        add(options.models, request);
    if (options.features.empty())
        return fail(ErrorCode::unsupported, "no feature takes pictures of " + format_text(format));
    return options;
}

} // namespace isovmaf::diff
