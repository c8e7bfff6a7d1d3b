// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "capi/model_scores.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/try.hpp"
#include "engine/plan/bind_models.hpp"

namespace isovmaf::capi {

/// A model or a collection.
struct ModelScores::Predictor {
    std::uint64_t id;
    std::string_view name;
    std::span<const ModelInput> inputs;
    std::span<const std::string> outputs;
    std::size_t wanted; ///< how many of the last outputs are asked for
    std::function<void(std::span<const double>, std::span<double>)> predict;

    explicit Predictor(const VmafModel &model)
        : id(model.id()), name(model.name()), inputs(model.inputs()), outputs(&model.name(), 1), wanted(1),
          predict([&model](std::span<const double> features, std::span<double> scores) {
              scores[0] = model.predict(features);
          }) {}

    explicit Predictor(const VmafModelCollection &collection)
        : id(collection.id()), name(collection.name()), inputs(collection.inputs()), outputs(collection.outputs()),
          wanted(4), predict([&collection](std::span<const double> features, std::span<double> scores) {
              collection.predict(features, scores);
          }) {}
};

namespace {

Result<std::vector<std::string>> stored_names(std::string_view model, std::span<const ModelInput> inputs) {
    std::vector<std::string> stored;
    for (const ModelInput &input : inputs) {
        const ResolvedInput resolved = TRY(resolve_input(input));
        if (resolved.feature == nullptr)
            return fail(ErrorCode::unsupported,
                        fmt::format("model {} reads {}, which this version does not have", model, input.base_name));
        stored.push_back(resolved.name());
    }
    return stored;
}

} // namespace

Result<std::vector<double>> ModelScores::scores(const VmafModel &model, const IndexRange &frames) {
    return std::move(TRY(scores(Predictor(model), frames)).front());
}

Result<std::vector<std::vector<double>>> ModelScores::scores(const VmafModelCollection &collection,
                                                             const IndexRange &frames) {
    return scores(Predictor(collection), frames);
}

void ModelScores::predict_if_possible(const VmafModel &model, unsigned index) {
    (void)scores(model, {index, index, 1}); // a failure says that a score is missing: it may come later
}

Result<std::vector<std::vector<double>>> ModelScores::scores(const Predictor &predictor, const IndexRange &frames) {
    std::vector<std::string> inputs;
    std::vector<std::size_t> columns = known_columns(predictor);
    std::vector<std::vector<double>> scores(predictor.wanted);
    const std::uint64_t first = (std::uint64_t{frames.low} + frames.step - 1) / frames.step * frames.step;
    for (std::uint64_t number = first; number <= frames.high; number += frames.step) {
        const auto index = static_cast<unsigned>(number);
        if (!is_stored(columns, index)) {
            if (inputs.empty())
                inputs = TRY(stored_names(predictor.name, predictor.inputs));
            TRY(predict(predictor, inputs, index));
            columns = known_columns(predictor);
        }
        for (std::size_t k = 0; k < predictor.wanted; k++)
            scores[k].push_back(*store_.at(columns[columns.size() - predictor.wanted + k], index));
    }
    if (scores.front().empty())
        return fail(ErrorCode::invalid_argument, fmt::format("no frame from {} to {} is scored: every {}th one is",
                                                             frames.low, frames.high, frames.step));
    return scores;
}

Result<void> ModelScores::predict(const Predictor &predictor, const std::vector<std::string> &inputs, unsigned index) {
    std::vector<double> features;
    for (const std::string &name : inputs) {
        const std::optional<std::size_t> column = store_.find(name);
        const std::optional<double> score = column ? store_.at(*column, index) : std::nullopt;
        if (!score)
            return fail(ErrorCode::not_found, fmt::format("cannot predict {} of frame {}: there is no {} of that frame",
                                                          predictor.name, index, name));
        features.push_back(*score);
    }
    std::vector<double> outputs(predictor.outputs.size());
    predictor.predict(features, outputs);
    const std::vector<std::size_t> &columns = add_columns(predictor);
    for (std::size_t k = 0; k < outputs.size(); k++)
        store_.set(columns[k], index, outputs[k]); // an imported score stays
    return {};
}

/// The columns of the predictor's outputs; empty before there are any. Columns of those names are taken that belong to
/// no other model.
std::vector<std::size_t> ModelScores::known_columns(const Predictor &predictor) const {
    if (const auto own = columns_.find(predictor.id); own != columns_.end())
        return own->second;
    std::vector<std::size_t> columns;
    for (const std::string &name : predictor.outputs)
        if (const std::optional<std::size_t> column = store_.find(name); column && !taken_.contains(*column))
            columns.push_back(*column);
    return columns.size() == predictor.outputs.size() ? columns : std::vector<std::size_t>();
}

const std::vector<std::size_t> &ModelScores::add_columns(const Predictor &predictor) {
    std::vector<std::size_t> &columns = columns_[predictor.id];
    for (std::size_t k = columns.size(); k < predictor.outputs.size(); k++) {
        const std::optional<std::size_t> found = store_.find(predictor.outputs[k]);
        columns.push_back(found && !taken_.contains(*found) ? *found : store_.add(predictor.outputs[k]));
        taken_.insert(columns.back());
    }
    return columns;
}

bool ModelScores::is_stored(const std::vector<std::size_t> &columns, unsigned index) const {
    return !columns.empty() &&
           std::ranges::all_of(columns, [&](std::size_t column) { return store_.at(column, index).has_value(); });
}

} // namespace isovmaf::capi
