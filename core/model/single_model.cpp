// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/single_model.hpp"

#include <cassert>

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

} // namespace

std::unique_ptr<Model> make_single_model(std::string name, std::string origin, ModelDescription model) {
    return std::make_unique<SingleModel>(std::move(name), std::move(origin), std::move(model));
}

} // namespace isovmaf
