// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isovmaf/request.hpp"
#include "isovmaf/result.hpp"
#include "request/option_table.hpp"

/// The part of a command line that says what is scored.
namespace isovmaf {

/// What a preset of libvmaf's program scores.
struct Preset {
    std::vector<ModelRequest> models;
    std::vector<FeatureRequest> features;
};

/// The preset `name`, which is aom_ctc or nflx_ctc, in one of its versions. Fails with invalid_argument, naming the
/// versions there are, on an unknown version.
[[nodiscard]] Result<Preset> find_preset(std::string_view name, const std::string &version);

struct ScoringArguments {
    std::vector<std::string> models;
    std::vector<std::string> model_folders;
    std::vector<std::string> features;
    std::string aom_preset, netflix_preset; ///< versions of the presets; empty without
    bool no_prediction = false;
    int subsample = 1;
    std::string compat{ScoringOptions{}.semantics.name()};

    [[nodiscard]] bool has_preset() const { return !aom_preset.empty() || !netflix_preset.empty(); }

    /// Whether neither a model nor a feature was asked for.
    [[nodiscard]] bool nothing_asked() const {
        return models.empty() && features.empty() && !has_preset() && !no_prediction;
    }
};

/// The values that --compat takes.
[[nodiscard]] std::vector<std::string> semantics_names();
[[nodiscard]] Semantics semantics_named(const std::string &name);

/// The options that say what is scored.
[[nodiscard]] std::span<const RequestOption<ScoringArguments>> scoring_options();

/// The models and features that were asked for. Without a model it is the default one, unless no_prediction is set.
[[nodiscard]] Result<ScoringOptions> parse_scoring(const ScoringArguments &arguments);

} // namespace isovmaf
