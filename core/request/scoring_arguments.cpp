// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "request/scoring_arguments.hpp"

#include "base/try.hpp"
#include "features/request.hpp"
#include "request/presets.hpp"

namespace isovmaf {

namespace {

constexpr RequestOption<ScoringArguments> scoring_table[] = {
    {{"-m,--model", "MODEL",
      "version=NAME|path=FILE[:name=NAME][:enable_transform][:disable_clip][:FEATURE.OPTION=VALUE]; may be repeated"},
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
    {{"--compat", "TEXT", "Release of libvmaf whose scores are reproduced", {}, semantics_names},
     &ScoringArguments::compat},
};

Result<void> add_preset(ScoringOptions &options, const ScoringArguments &arguments, std::string_view name,
                        const std::string &version) {
    if (version.empty())
        return {};
    const Preset preset = TRY(find_preset(name, version));
    TRY(check_features(preset));
    if (!arguments.no_prediction)
        options.models.insert(options.models.end(), preset.models.begin(), preset.models.end());
    options.features.insert(options.features.end(), preset.features.begin(), preset.features.end());
    return {};
}

} // namespace

std::vector<std::string> semantics_names() {
    const auto names = all_semantics_names();
    return {names.begin(), names.end()};
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
    if (!arguments.no_prediction)
        for (const std::string &text : arguments.models)
            options.models.push_back(TRY(ModelRequest::parse(text)));
    for (const std::string &text : arguments.features)
        options.features.push_back(TRY(FeatureRequest::parse(text)));
    if (options.models.empty() && options.features.empty())
        return fail(ErrorCode::invalid_argument, "nothing to score: --no_prediction needs a --feature");
    return options;
}

} // namespace isovmaf
