// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/bind_models.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/try.hpp"
#include "engine/plan/map_request.hpp"
#include "features/option.hpp"
#include "features/registry.hpp"
#include "model/model_choice.hpp"

namespace isovmaf {

namespace {

Result<void> add_inputs(const Model &model, FeatureSet &features) {
    std::vector<std::string> missing;
    for (const ModelInput &input : model.inputs()) {
        Result<ResolvedInput> resolved = resolve_input(input);
        if (!resolved)
            return fail(resolved.error().code,
                        fmt::format("model {} ({}): {}", model.name(), model.origin(), resolved.error().message));
        if (!resolved->feature)
            missing.push_back(input.base_name);
        else
            TRY(features.add(*resolved->feature, resolved->options));
    }
    if (!missing.empty())
        return fail(ErrorCode::unsupported,
                    fmt::format("model {} ({}) reads features that this version does not have: {}", model.name(),
                                model.origin(), fmt::join(missing, ", ")));
    return {};
}

} // namespace

std::string ResolvedInput::name() const { return stored_name(*output, options); }

Result<ResolvedInput> resolve_input(const ModelInput &input) {
    ResolvedInput resolved{find_feature_of_output(input.base_name), nullptr, {}};
    if (!resolved.feature)
        return resolved;
    resolved.options = TRY(OptionSet::parse(resolved.feature->name, resolved.feature->options, input.options));
    resolved.output = &*std::ranges::find_if(resolved.feature->outputs, [&](const OutputSpec &output) {
        return output.base_name == input.base_name || output.alias == input.base_name;
    });
    return resolved;
}

namespace {

/// Adds the features that the models read.
Result<LoadedModels> load_models(const ScoringOptions &options, int rows, FeatureSet &features) {
    LoadedModels models;
    for (const ModelRequest &request : options.models) {
        std::unique_ptr<Model> model = TRY(load_model(chosen_request(request, rows), options.model_folders));
        if (std::ranges::any_of(models, [&](const auto &other) { return other->name() == model->name(); }))
            return fail(
                ErrorCode::invalid_argument,
                fmt::format("two models are named {}: give one of them another name with :name=NAME", model->name()));
        TRY(add_inputs(*model, features));
        models.push_back(std::move(model));
    }
    return models;
}

Result<void> add_requested_features(std::span<const FeatureRequest> requests, FeatureSet &features) {
    for (const FeatureRequest &request : requests) {
        const FeatureDescriptor *feature = find_feature(request.name);
        if (!feature) {
            std::vector<std::string> names;
            for (const FeatureDescriptor *known : all_features())
                names.emplace_back(known->name);
            return fail(ErrorCode::not_found,
                        fmt::format("there is no feature \"{}\"{}; this version has: {}", request.name,
                                    did_you_mean(request.name, names), fmt::join(names, ", ")));
        }
        OptionSet options = TRY(OptionSet::parse(feature->name, feature->options, request.options));
        TRY(features.add(*feature, options));
    }
    return {};
}

} // namespace

Result<RequestedScores> load_requested(const ScoringOptions &options, int rows) {
    RequestedScores requested = TRY(load_with_open_options(options, rows));
    requested.features.assume_facts();
    return requested;
}

Result<RequestedScores> load_with_open_options(const ScoringOptions &options, int rows) {
    if (options.subsample < 1)
        return fail(ErrorCode::invalid_argument, fmt::format("subsample {}: give 1 or more", options.subsample));
    if (options.models.empty() && options.features.empty())
        return fail(ErrorCode::invalid_argument, "nothing to score: ask for a model or a feature");
    RequestedScores requested;
    requested.models = TRY(load_models(options, rows, requested.features));
    TRY(add_requested_features(options.features, requested.features));
    return requested;
}

Result<void> refuse_maps(const ScoringOptions &options, std::string_view why) {
    return refuse_maps(TRY(load_requested(options, most_rows_of_hd)).features, why);
}

Result<std::vector<BoundModel>> bind_models(const LoadedModels &models, const EnginePlan &plan) {
    std::vector<BoundModel> bound;
    for (const std::shared_ptr<const Model> &model : models) {
        std::vector<std::size_t> columns;
        for (const ModelInput &input : model->inputs()) {
            const ResolvedInput resolved = TRY(resolve_input(input));
            const std::string name = resolved.name();
            const auto column = std::ranges::find(plan.columns, name);
            if (column == plan.columns.end())
                return fail(ErrorCode::unsupported,
                            fmt::format("model {} ({}) reads {}, which feature {} does not give under these options",
                                        model->name(), model->origin(), name, resolved.feature->name));
            columns.push_back(static_cast<std::size_t>(column - plan.columns.begin()));
        }
        bound.push_back({model, std::move(columns)});
    }
    return bound;
}

namespace {

Result<EnginePlan> plan_of(const ScoringOptions &options, const VideoFormat &format) {
    return make_plan(TRY(load_requested(options, format.height)).features,
                     {.format = format, .semantics = options.semantics, .chroma_edge = options.chroma_edge});
}

std::vector<std::string> chroma_readers(const EnginePlan &plan) {
    std::vector<std::string> names;
    for (const PlannedFeature &planned : plan.features)
        if (planned.plan.planes != PlaneUse::luma)
            names.emplace_back(planned.feature->name);
    return names;
}

} // namespace

Result<FormatReaders> find_readers(const ScoringOptions &options, const VideoFormat &format) {
    const FeatureSet features = TRY(load_requested(options, format.height)).features;
    FormatReaders readers{chroma_readers(TRY(make_plan(features, {format, options.semantics})))};
    readers.others = readers.chroma.size() < features.entries().size();
    for (const FeatureSet::Entry &entry : features.entries())
        for (const OptionSet &set : entry.option_sets)
            if (const auto option = needs_of(*entry.feature, format, set).encoded_depth_option; !option.empty())
                readers.depth_options.emplace_back(entry.feature->name, option);
    if (readers.chroma.empty() || options.models.empty())
        return readers;
    ScoringOptions models_alone = options;
    models_alone.features.clear();
    readers.models_read_chroma = !chroma_readers(TRY(plan_of(models_alone, format))).empty();
    return readers;
}

std::function<Result<FormatReaders>(const VideoFormat &)> readers_of(const ScoringOptions &options) {
    return [options](const VideoFormat &format) { return find_readers(options, format); };
}

Result<EarlierFrames> earlier_frames_read(const ScoringOptions &options, const VideoFormat &format) {
    return TRY(plan_of(options, format)).earlier();
}

} // namespace isovmaf
