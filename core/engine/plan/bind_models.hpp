// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/feature_set.hpp"
#include "engine/scoring.hpp"
#include "features/feature.hpp"
#include "isovmaf/isovmaf.hpp"
#include "isovmaf/request.hpp"

/// What a session scores with its models, and what its features read of pictures, before there is a session. The
/// functions fail where Session::create does because of models, features or the format.
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

/// What `options` ask for: the features that models read, then those asked for by name, and the models.
struct RequestedScores {
    FeatureSet features;
    LoadedModels models;
};

/// Loads the models for pictures of `rows` luma rows (see chosen_request) and collects the features. Fails when nothing
/// is asked for, when two models have one name, when a model reads features that this build does not have (the error
/// names all of those), and on unknown features (the error lists the known ones). Options that stand for facts of the
/// video have what is assumed where nobody states these: see state_facts.
[[nodiscard]] Result<RequestedScores> load_requested(const ScoringOptions &options, int rows);

/// The same, but such options are left open.
[[nodiscard]] Result<RequestedScores> load_with_open_options(const ScoringOptions &options, int rows);

/// Fails when `options` ask for maps: see refuse_maps of a FeatureSet.
[[nodiscard]] Result<void> refuse_maps(const ScoringOptions &options, std::string_view why);

/// Finds every model's inputs among the plan's columns.
[[nodiscard]] Result<std::vector<BoundModel>> bind_models(const LoadedModels &models, const EnginePlan &plan);

/// What features read of videos of a format.
struct FormatReaders {
    std::vector<std::string> chroma = {}; ///< names of the features that read chroma
    bool models_read_chroma = false;      ///< some of them are those of a model
    bool others = false;                  ///< there are features that read luma alone
    /// Feature and option that say at which depth the video was encoded: see FeatureNeeds::encoded_depth_option.
    std::vector<std::pair<std::string, std::string>> depth_options = {};
};

/// What the features of `options` read.
[[nodiscard]] Result<FormatReaders> find_readers(const ScoringOptions &options, const VideoFormat &format);

/// The same for videos whose format is known later: see VideoRequest::readers.
[[nodiscard]] std::function<Result<FormatReaders>(const VideoFormat &)> readers_of(const ScoringOptions &options);

/// The earlier frames that some feature reads.
[[nodiscard]] Result<EarlierFrames> earlier_frames_read(const ScoringOptions &options, const VideoFormat &format);

} // namespace isovmaf
