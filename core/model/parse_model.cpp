// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <cassert>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/try.hpp"
#include "model/bootstrap_model.hpp"
#include "model/feature_options.hpp"
#include "model/model.hpp"
#include "model/model_file.hpp"

namespace isovmaf {

namespace {

class SingleModel final : public Model {
  public:
    SingleModel(std::string name, std::string origin, ModelDescription model)
        : name_(std::move(name)), origin_(std::move(origin)), model_(std::move(model)) {}

    const std::string &name() const override { return name_; }
    const std::string &origin() const override { return origin_; }
    std::span<const ModelInput> inputs() const override { return model_.inputs; }
    std::span<const std::string> outputs() const override { return {&name_, 1}; }

    void predict(std::span<const double> features, std::span<double> scores) const override {
        assert(scores.size() == 1);
        scores[0] = model_.predictor.final_score(model_.predictor.raw_score(features));
    }

  private:
    std::string name_;
    std::string origin_;
    ModelDescription model_;
};

/// A model that gives one score, called `name`.
std::unique_ptr<Model> make_single_model(std::string name, std::string origin, ModelDescription model) {
    return std::make_unique<SingleModel>(std::move(name), std::move(origin), std::move(model));
}

void apply_flags(const ModelRequest &request, Predictor &predictor) {
    if (request.enable_transform && predictor.transform)
        predictor.transform->enabled = true;
    if (request.disable_clip)
        predictor.clip.reset();
}

std::string cannot_load(const std::string &origin) { return fmt::format("cannot load model {}", origin); }

} // namespace

Result<ModelFile> parse_requested_file(std::string_view json, const ModelRequest &request, const std::string &origin) {
    const std::string attempt = cannot_load(origin);
    ModelFile file = TRY(parse_model_file(json, attempt));
    for (ModelDescription &model : file.models) {
        apply_flags(request, model.predictor);
        TRY(overlay_feature_options(model.inputs, request.feature_options, attempt));
    }
    return file;
}

Result<std::unique_ptr<Model>> parse_model(std::string_view json, const ModelRequest &request,
                                           const std::string &origin) {
    if (request.name.empty())
        return fail(ErrorCode::invalid_argument, fmt::format("{}: its score needs a name", cannot_load(origin)));
    ModelFile file = TRY(parse_requested_file(json, request, origin));
    if (file.collection)
        return make_bootstrap_model(request.name, origin, std::move(file.models));
    return make_single_model(request.name, origin, std::move(file.models.front()));
}

} // namespace isovmaf
