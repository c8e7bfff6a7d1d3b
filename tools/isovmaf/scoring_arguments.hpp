// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <string>
#include <vector>

#include "isovmaf/isovmaf.hpp"

namespace CLI {
class App;
}

/// The part of a command line that says what is scored.
namespace isovmaf::tool {

struct ScoringArguments {
    std::vector<std::string> models;
    std::vector<std::string> model_folders;
    std::vector<std::string> features;
    bool no_prediction = false;
    int subsample = 1;
    std::string compat = "libvmaf-3.2";

    /// Nobody asked for a model or a feature.
    [[nodiscard]] bool left_open() const { return models.empty() && features.empty() && !no_prediction; }
};

/// `default_models` says in words what is scored when none is given.
void declare_scoring(CLI::App &command, ScoringArguments &arguments, const std::string &default_models);

/// Words the command line takes for an option.
[[nodiscard]] std::vector<std::string> semantics_names();
[[nodiscard]] Semantics semantics_named(const std::string &name);

/// Models and features as asked for: without a model the default one, unless there is to be no prediction.
[[nodiscard]] Result<SessionOptions> parse_scoring(const ScoringArguments &arguments);

} // namespace isovmaf::tool
