// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <CLI/CLI.hpp>

#include "tools/isovmaf/scoring_arguments.hpp"

namespace isovmaf::tool {

void declare_scoring(CLI::App &command, ScoringArguments &arguments, const std::string &default_models) {
    const char *group = "Scores";
    command
        .add_option("-m,--model", arguments.models,
                    "version=NAME|path=FILE[:name=NAME][:enable_transform][:disable_clip][:FEATURE.OPTION=VALUE]; "
                    "may be repeated (default: " +
                        default_models + ")")
        ->type_name("MODEL")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    command
        .add_option("--model_dir", arguments.model_folders,
                    "Folder searched for NAME.json of models not built in; may be repeated")
        ->type_name("FOLDER")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    command
        .add_option(
            "--feature", arguments.features,
            "NAME[:OPTION=VALUE]... or NAME=OPTION=VALUE[:OPTION=VALUE]..., on top of what the models need; may be "
            "repeated")
        ->type_name("FEATURE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    command.add_option("--aom_ctc", arguments.aom_preset, "Models and features of the AOM common test conditions")
        ->type_name("VERSION")
        ->group(group);
    command.add_option("--nflx_ctc", arguments.netflix_preset, "The same for the common test conditions of Netflix")
        ->type_name("VERSION")
        ->group(group);
    command.add_flag("-n,--no_prediction", arguments.no_prediction, "Only features, no model")->group(group);
    command.add_option("--subsample", arguments.subsample, "Score every N-th frame")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->capture_default_str()
        ->group(group);
    command.add_option("--compat", arguments.compat, "Release whose scores are reproduced")
        ->check(CLI::IsMember(semantics_names()))
        ->capture_default_str()
        ->group(group);
}

} // namespace isovmaf::tool
