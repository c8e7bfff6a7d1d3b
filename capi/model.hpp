// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "libvmaf/model.h"
#include "model/model_file.hpp"

/// A model that gives one score. It belongs to no context. Reading it is thread-safe while no thread overloads it.
struct VmafModel {
  public:
    VmafModel(std::string name, isovmaf::ModelDescription description);

    /// Name of the score.
    [[nodiscard]] const std::string &name() const { return name_; }

    /// Differs between any two models that a process ever loads, also when one is at the address of a former one.
    [[nodiscard]] std::uint64_t id() const { return id_; }

    /// The feature scores that the model reads, with the options of overloads.
    [[nodiscard]] std::span<const isovmaf::ModelInput> inputs() const { return description_.inputs; }

    /// Score of one frame from its feature scores, in the order of `inputs`.
    [[nodiscard]] double predict(std::span<const double> features) const;

    /// The same before the score's transform and clip, which statistics of a collection need.
    [[nodiscard]] double predict_raw(std::span<const double> features) const;

    [[nodiscard]] const isovmaf::Predictor &predictor() const { return description_.predictor; }

    /// Sets options of the inputs that come from the request's feature, and returns whether there are any. Values are
    /// not checked.
    bool overload(const isovmaf::FeatureRequest &request);

  private:
    std::string name_;
    std::uint64_t id_;
    isovmaf::ModelDescription description_;
};

namespace isovmaf::capi {

/// Whether a text names a built-in model or a file.
enum class ModelPlace : std::uint8_t { built_in, file };

/// Loads the models of a file, with the flags of the configuration applied. Unknown flags have no effect.
[[nodiscard]] Result<ModelFile> load_file(const VmafModelConfig &config, const std::string &place, ModelPlace kind);

/// Name of the score of a model with this configuration.
[[nodiscard]] std::string score_name(const VmafModelConfig &config);

/// The request that a dictionary describes. Options that the feature does not know are left out with a warning.
[[nodiscard]] FeatureRequest overload_request(const char *feature_name, const VmafFeatureDictionary &options);

/// VmafModel::overload, with a warning when the model has no such input.
void overload(VmafModel &model, const FeatureRequest &request);

} // namespace isovmaf::capi
