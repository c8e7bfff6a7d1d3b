// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/scoring_arguments.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/try.hpp"
#include "features/semantics.hpp"

namespace isovmaf {

namespace {

constexpr std::string_view aom_models[] = {"version=vmaf_v0.6.1:name=vmaf", "version=vmaf_v0.6.1neg:name=vmaf_neg"};
constexpr std::string_view netflix_models[] = {"version=vmaf_4k_v0.6.1:name=vmaf",
                                               "version=vmaf_4k_v0.6.1neg:name=vmaf_neg"};

constexpr std::string_view psnr = "psnr:reduced_hbd_peak=true:enable_apsnr=true:min_sse=0.5";
constexpr std::string_view ssim = "float_ssim:enable_db=true:clip_db=true";
constexpr std::string_view ms_ssim = "float_ms_ssim:enable_db=true:clip_db=true";

/// The AOM common test conditions before and from version 3, and those of Netflix.
constexpr std::string_view aom_features[] = {psnr, "ciede", ssim, ms_ssim, "psnr_hvs"};
constexpr std::string_view aom_features_with_cambi[] = {psnr, "ciede", ssim, ms_ssim, "psnr_hvs", "cambi"};
constexpr std::string_view netflix_features[] = {psnr, ssim, "cambi"};

struct KnownPreset {
    std::string_view name;
    std::string_view version;
    std::span<const std::string_view> models, features;
};

constexpr KnownPreset presets[] = {
    {"aom_ctc", "v1.0", aom_models, aom_features},
    {"aom_ctc", "v2.0", aom_models, aom_features},
    {"aom_ctc", "v3.0", aom_models, aom_features_with_cambi},
    {"aom_ctc", "v4.0", aom_models, aom_features_with_cambi},
    {"aom_ctc", "v5.0", aom_models, aom_features_with_cambi},
    {"aom_ctc", "v6.0", aom_models, aom_features_with_cambi},
    {"aom_ctc", "v7.0", aom_models, aom_features_with_cambi},
    {"nflx_ctc", "v1.0", netflix_models, netflix_features},
};

std::vector<std::string_view> versions_of(std::string_view name) {
    std::vector<std::string_view> versions;
    for (const KnownPreset &preset : presets)
        if (preset.name == name)
            versions.push_back(preset.version);
    return versions;
}

} // namespace

Result<Preset> find_preset(std::string_view name, const std::string &version) {
    const auto *const known = std::ranges::find_if(
        presets, [&](const KnownPreset &preset) { return preset.name == name && preset.version == version; });
    if (known == std::end(presets))
        return fail(ErrorCode::invalid_argument,
                    fmt::format("--{} takes {}, not {}", name, fmt::join(versions_of(name), ", "), quote(version)));
    Preset preset;
    for (const std::string_view text : known->models)
        preset.models.push_back(TRY(ModelRequest::parse(text)));
    for (const std::string_view text : known->features)
        preset.features.push_back(TRY(FeatureRequest::parse(text)));
    return preset;
}

namespace {

/// "libvmaf-3.2: ...; libvmaf-3.0: ..."
std::string semantics_meanings() {
    std::vector<std::string> meanings;
    for (const Semantics &semantics : all_semantics())
        meanings.push_back(fmt::format("{}: {}", semantics.name(), semantics.row().meaning));
    return fmt::format("{}", fmt::join(meanings, "; "));
}

constexpr RequestOption<ScoringArguments> scoring_table[] = {
    {{"-m,--model", "MODEL",
      "version=NAME or path=FILE, and behind it any of :name=NAME :enable_transform :disable_clip "
      ":FEATURE.OPTION=VALUE; may be repeated. Without a name a score is called vmaf, and one of several models as "
      "its model"},
     &ScoringArguments::models},
    {{"--model_dir", "FOLDER", "Folder searched for NAME.json of models not built in; may be repeated"},
     &ScoringArguments::model_folders},
    {{"--feature", "FEATURE",
      "NAME[:OPTION=VALUE]... or NAME=OPTION=VALUE[:OPTION=VALUE]..., on top of what the models need; may be repeated"},
     &ScoringArguments::features},
    {{"--aom_ctc", "VERSION", "Models and features of the AOM common test conditions"}, &ScoringArguments::aom_preset},
    {{"--nflx_ctc", "VERSION", "Models and features of Netflix's common test conditions"},
     &ScoringArguments::netflix_preset},
    {{"-n,--no_prediction", {}, "Only features, no model"}, &ScoringArguments::no_prediction},
    {{"--subsample", "N", "Score every N-th frame", NumberRange{1}}, &ScoringArguments::subsample},
    {{"--compat", "TEXT", "Release of libvmaf whose scores are reproduced", {}, semantics_names, semantics_meanings},
     &ScoringArguments::compat},
};

bool has_name(const std::string &model) {
    return std::ranges::any_of(split_items(model), [](const std::string &item) { return item.starts_with("name="); });
}

/// A name for the score of a model: that of its version, or of its file.
std::string own_name(const ModelRequest &model) {
    const std::string name = model.path.empty() ? model.version : std::filesystem::path(model.path).stem().string();
    return name.starts_with(ModelRequest{}.name) ? name : fmt::format("{}_{}", ModelRequest{}.name, name);
}

/// Gives the models that are asked for without a name their own names where several scores would have the same name.
void name_models(const std::vector<std::string> &texts, std::vector<ModelRequest> &models) {
    if (std::ranges::count(models, ModelRequest{}.name, &ModelRequest::name) < 2)
        return;
    const std::size_t of_presets = models.size() - texts.size();
    for (std::size_t i = 0; i < texts.size(); i++)
        if (!has_name(texts[i]))
            models[of_presets + i].name = own_name(models[of_presets + i]);
}

Result<void> add_preset(ScoringOptions &options, const ScoringArguments &arguments, std::string_view name,
                        const std::string &version) {
    if (version.empty())
        return {};
    const Preset preset = TRY(find_preset(name, version));
    if (!arguments.no_prediction)
        options.models.insert(options.models.end(), preset.models.begin(), preset.models.end());
    options.features.insert(options.features.end(), preset.features.begin(), preset.features.end());
    return {};
}

} // namespace

std::vector<std::string> semantics_names() {
    std::vector<std::string> names;
    for (const Semantics &semantics : all_semantics())
        names.emplace_back(semantics.name());
    return names;
}

Semantics semantics_named(const std::string &name) { return find_semantics(name).value(); }

std::span<const RequestOption<ScoringArguments>> scoring_options() { return scoring_table; }

Result<ScoringOptions> parse_scoring(const ScoringArguments &arguments) {
    ScoringOptions options;
    options.model_folders = arguments.model_folders;
    options.subsample = arguments.subsample;
    options.semantics = semantics_named(arguments.compat);
    TRY(add_preset(options, arguments, "aom_ctc", arguments.aom_preset));
    TRY(add_preset(options, arguments, "nflx_ctc", arguments.netflix_preset));
    if (!arguments.no_prediction && arguments.models.empty() && !arguments.has_preset())
        options.models.emplace_back();
    if (!arguments.no_prediction) {
        for (const std::string &text : arguments.models)
            options.models.push_back(TRY(ModelRequest::parse(text)));
        name_models(arguments.models, options.models);
    }
    for (const std::string &text : arguments.features)
        options.features.push_back(TRY(FeatureRequest::parse(text)));
    if (options.models.empty() && options.features.empty())
        return fail(ErrorCode::invalid_argument, "nothing to score: --no_prediction needs a --feature");
    return options;
}

} // namespace isovmaf
