// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/collector.hpp"
#include "engine/plan/feature_set.hpp"
#include "isovmaf/isovmaf.hpp"

namespace isovmaf {

/// A model input in terms of this build's features.
struct ResolvedInput {
    const FeatureDescriptor *feature = nullptr; ///< null when this build has no feature with such an output
    const OutputSpec *output = nullptr;
    OptionSet options;

    /// The name under which the input is kept. Needs a feature.
    [[nodiscard]] std::string name() const;
};

/// Finds the feature of a model input and reads its options.
[[nodiscard]] Result<ResolvedInput> resolve_input(const ModelInput &input);

/// Models of a session in their order. Any number of videos can be scored with them, on any threads.
using LoadedModels = std::vector<std::shared_ptr<const Model>>;

/// Loads the models of a session and adds the features they read to `features`. Fails when two models have one name,
/// or when a model reads features that this build does not have: the error names all of those.
[[nodiscard]] Result<LoadedModels> load_models(const SessionOptions &options, FeatureSet &features);

/// Adds the features a user asked for; the error for an unknown feature lists the known ones.
Result<void> add_requested_features(std::span<const FeatureRequest> requests, FeatureSet &features);

/// Finds every model's inputs among the plan's columns.
[[nodiscard]] Result<std::vector<BoundModel>> bind_models(const LoadedModels &models, const EnginePlan &plan);

} // namespace isovmaf
