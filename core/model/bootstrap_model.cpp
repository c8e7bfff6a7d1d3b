// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/bootstrap_model.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <compare>

#include <fmt/format.h>

namespace isovmaf {

namespace {

constexpr double interval_low = 2.5, interval_high = 97.5; ///< percentiles; 95 % of the scores lie between them
constexpr double slope_step = 0.01; ///< distance at which the slope of transform and clip is taken

class BootstrapModel final : public Model {
  public:
    BootstrapModel(std::string name, std::string origin, std::vector<ModelDescription> members)
        : origin_(std::move(origin)), models_(std::move(members)) {
        outputs_ = bootstrap_outputs(name, models_.size() - 1);
        outputs_.insert(outputs_.begin(), std::move(name));
    }

    const std::string &name() const override { return outputs_.front(); }
    const std::string &origin() const override { return origin_; }
    std::span<const ModelInput> inputs() const override { return models_.front().inputs; }
    std::span<const std::string> outputs() const override { return outputs_; }

    void predict(std::span<const double> features, std::span<double> scores) const override {
        assert(scores.size() == outputs_.size());
        const Predictor &plain = models_.front().predictor;
        scores[0] = plain.final_score(plain.raw_score(features));
        std::array<double, max_members> storage;
        const std::span<double> raw(storage.data(), models_.size() - 1);
        for (std::size_t i = 0; i < raw.size(); i++) {
            const Predictor &member = models_[i + 1].predictor;
            raw[i] = member.raw_score(features);
            scores[i + 1] = member.final_score(raw[i]);
        }
        write_bootstrap_statistics(models_[1].predictor, raw, scores.last<4>());
    }

  private:
    std::string origin_;
    std::vector<std::string> outputs_;
    std::vector<ModelDescription> models_;
};

} // namespace

std::unique_ptr<Model> make_bootstrap_model(std::string name, std::string origin,
                                            std::vector<ModelDescription> members) {
    return std::make_unique<BootstrapModel>(std::move(name), std::move(origin), std::move(members));
}

std::vector<std::string> bootstrap_outputs(const std::string &name, std::size_t members) {
    std::vector<std::string> outputs;
    for (std::size_t k = 1; k <= members; k++)
        outputs.push_back(fmt::format("{}_{:04}", name, k));
    for (const char *statistic : {"bagging", "stddev", "ci_p95_lo", "ci_p95_hi"})
        outputs.push_back(fmt::format("{}_{}", name, statistic));
    return outputs;
}

void write_bootstrap_statistics(const Predictor &first, std::span<double> raw, std::span<double, 4> statistics) {
    const auto count = static_cast<double>(raw.size());
    double sum = 0;
    for (const double score : raw)
        sum += score;
    const double mean = sum / count;
    double squares = 0;
    for (const double score : raw)
        squares += (score - mean) * (score - mean);
    // A total order: a model with absurd numbers gives NaN, for which `<` is no valid order to sort by.
    std::ranges::sort(raw, [](double a, double b) { return std::is_lt(std::strong_order(a, b)); });

    const double slope =
        (first.final_score(mean + slope_step) - first.final_score(mean - slope_step)) / (2 * slope_step);
    statistics[0] = first.final_score(mean);
    statistics[1] = std::sqrt(squares / count) * slope;
    statistics[2] = first.final_score(percentile(raw, interval_low));
    statistics[3] = first.final_score(percentile(raw, interval_high));
}

double percentile(std::span<const double> ascending, double percent) {
    const double rank = percent * static_cast<double>(ascending.size() - 1) / 100;
    const double below = std::floor(rank), above = std::ceil(rank);
    const double low = ascending[static_cast<std::size_t>(below)];
    const double high = ascending[static_cast<std::size_t>(above)];
    return below == above ? low : low * (above - rank) + high * (rank - below);
}

} // namespace isovmaf
