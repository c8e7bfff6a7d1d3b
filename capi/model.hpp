// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "libvmaf/model.h"
#include "model/model_file.hpp"

/// A model that gives one score. It belongs to no context. Reading it is thread-safe while no thread overloads it. It
/// begins with two pointers, as libvmaf's struct does: programs read them, though no public header has them (pyvmaf).
struct VmafModel {
  public:
    /// `path`: of the model's file; empty when there is none.
    VmafModel(std::string name, isovmaf::ModelDescription description, std::string path = {});

    /// Name of the score.
    [[nodiscard]] const std::string &name() const { return texts_->name; }

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
    struct Texts {
        std::string path, name;
    };

    const char *path_text_; ///< null for a built-in model
    const char *name_text_;
    std::unique_ptr<const Texts> texts_; ///< stays where it is when the model moves
    std::uint64_t id_;
    isovmaf::ModelDescription description_;
};

/// All models of a bootstrap collection but the first, which is a VmafModel by itself. Reading it is thread-safe
/// while no thread overloads it.
struct VmafModelCollection {
  public:
    /// `members` are called NAME_0001 and so on. There is at least one, and all read the same features.
    VmafModelCollection(std::string name, std::vector<isovmaf::ModelDescription> members);

    [[nodiscard]] const std::string &name() const { return name_; }

    /// Differs between any two collections that a process ever loads.
    [[nodiscard]] std::uint64_t id() const { return members_.front().id(); }

    [[nodiscard]] std::span<const VmafModel> members() const { return members_; }

    /// The feature scores that every member reads.
    [[nodiscard]] std::span<const isovmaf::ModelInput> inputs() const { return members_.front().inputs(); }

    /// Names of what `predict` gives: those of the members, then NAME_bagging, NAME_stddev, NAME_ci_p95_lo and
    /// NAME_ci_p95_hi.
    [[nodiscard]] std::span<const std::string> outputs() const { return outputs_; }

    /// Scores of one frame from its feature scores, in the order of `inputs`. `scores` has one for each output.
    void predict(std::span<const double> features, std::span<double> scores) const;

    /// VmafModel::overload for every member.
    void overload(const isovmaf::FeatureRequest &request);

  private:
    std::string name_;
    std::vector<VmafModel> members_;
    std::vector<std::string> outputs_;
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

/// The last four of a collection's outputs as the C interface hands them out.
[[nodiscard]] VmafModelCollectionScore collection_score(std::span<const double, 4> statistics);

} // namespace isovmaf::capi
