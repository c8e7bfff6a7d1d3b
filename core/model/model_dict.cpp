// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/model_dict.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "features/option.hpp"
#include "model/svm_text.hpp"

namespace isovmaf {

namespace {

/// Names and option texts travel into reports and messages, so they are short and printable; libvmaf cuts at 255, too.
bool is_plain(std::string_view text) {
    constexpr std::size_t longest = 255;
    return !text.empty() && text.size() <= longest &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

Result<std::string> read_choice(const JsonValue &dict, std::string_view key,
                                std::initializer_list<std::string_view> choices) {
    const Result<JsonValue> value = dict.at(key);
    if (!value)
        return tl::unexpected(value.error());
    const Result<std::string_view> text = value->text();
    if (!text)
        return tl::unexpected(text.error());
    if (std::ranges::find(choices, *text) == choices.end())
        return value->must_be(fmt::format("{}", fmt::join(choices, " or ")));
    return std::string(*text);
}

Result<std::vector<ModelInput>> read_feature_names(const JsonValue &dict) {
    const Result<JsonValue> names = dict.at("feature_names");
    if (!names)
        return tl::unexpected(names.error());
    const Result<std::vector<JsonValue>> items = names->items();
    if (!items)
        return tl::unexpected(items.error());
    if (items->empty() || items->size() > max_model_features)
        return names->must_be(fmt::format("an array of 1 to {} names", max_model_features));
    std::vector<ModelInput> inputs;
    for (const JsonValue &item : *items) {
        const Result<std::string_view> name = item.text();
        if (!name)
            return tl::unexpected(name.error());
        if (!is_plain(*name))
            return item.must_be("a feature's name");
        inputs.push_back({std::string(*name), {}});
    }
    return inputs;
}

/// Numbers pass through single float and six digits, as everywhere (features-v1.md §1).
Result<std::string> read_option(const JsonValue &value) {
    if (value.is_number())
        return value.number().map([](double number) { return normalise_option_text(fmt::format("{}", number)); });
    if (const Result<bool> flag = value.flag(); flag)
        return std::string(*flag ? "true" : "false");
    if (const Result<std::string_view> text = value.text(); text && is_plain(*text))
        return std::string(*text);
    return value.must_be("a number, true, false or a short string");
}

Result<void> read_feature_options(const JsonValue &dict, std::vector<ModelInput> &inputs) {
    const Result<std::optional<JsonValue>> dicts = dict.find("feature_opts_dicts");
    if (!dicts || !*dicts)
        return dicts.map([](const auto &) {});
    const Result<std::vector<JsonValue>> items = (*dicts)->items();
    if (!items)
        return tl::unexpected(items.error());
    if (items->size() != inputs.size())
        return (*dicts)->must_be(fmt::format("an array of {}, one entry for each feature", inputs.size()));
    for (std::size_t i = 0; i < inputs.size(); i++) {
        const auto options = (*items)[i].members();
        if (!options)
            return tl::unexpected(options.error());
        for (const auto &[key, value] : *options) {
            if (!is_plain(key))
                return fail(ErrorCode::corrupt_data, fmt::format("{} is no option's name", value.path()));
            Result<std::string> text = read_option(value);
            if (!text)
                return tl::unexpected(text.error());
            inputs[i].options.emplace_back(key, *std::move(text));
        }
    }
    return {};
}

/// An array of one number for the score and one for each feature.
Result<std::vector<double>> read_scales(const JsonValue &dict, std::string_view key, std::size_t features) {
    const Result<JsonValue> array = dict.at(key);
    if (!array)
        return tl::unexpected(array.error());
    Result<std::vector<double>> numbers = read_numbers(*array);
    if (numbers && numbers->size() != features + 1)
        return array->must_be(
            fmt::format("an array of {}, one number for the score and one for each feature", features + 1));
    return numbers;
}

Result<void> read_rescaling(const JsonValue &dict, std::size_t features, Predictor &predictor) {
    const Result<std::string> type = read_choice(dict, "norm_type", {"linear_rescale", "none"});
    if (!type)
        return tl::unexpected(type.error());
    predictor.features.resize(features);
    if (*type == "none")
        return {};
    const Result<std::vector<double>> slopes = read_scales(dict, "slopes", features);
    if (!slopes)
        return tl::unexpected(slopes.error());
    const Result<std::vector<double>> intercepts = read_scales(dict, "intercepts", features);
    if (!intercepts)
        return tl::unexpected(intercepts.error());
    if (slopes->front() == 0)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{}.slopes[0] must not be 0, because scores are divided by it", dict.path()));
    predictor.score = {slopes->front(), intercepts->front()};
    for (std::size_t i = 0; i < features; i++)
        predictor.features[i] = {(*slopes)[i + 1], (*intercepts)[i + 1]};
    return {};
}

/// The only input whose name contains `part`.
Result<std::size_t> find_only_input(const JsonValue &parameter, const std::vector<ModelInput> &inputs,
                                    std::string_view part) {
    const auto matches = [part](const ModelInput &input) { return input.base_name.find(part) != std::string::npos; };
    if (std::ranges::count_if(inputs, matches) != 1)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{} needs exactly one feature with {} in its name, but there are {}", parameter.path(),
                                part, std::ranges::count_if(inputs, matches)));
    return static_cast<std::size_t>(std::ranges::find_if(inputs, matches) - inputs.begin());
}

Result<void> read_chroma_correction(const JsonValue &dict, const std::vector<ModelInput> &inputs,
                                    Predictor &predictor) {
    const Result<std::optional<JsonValue>> value = dict.find("chroma_correction_parameter");
    if (!value || !*value)
        return value.map([](const auto &) {});
    const Result<double> parameter = (*value)->number();
    if (!parameter)
        return tl::unexpected(parameter.error());
    if (*parameter == 0)
        return {};
    const Result<std::size_t> guide = find_only_input(**value, inputs, "adm3");
    if (!guide)
        return tl::unexpected(guide.error());
    const Result<std::size_t> guided = find_only_input(**value, inputs, "speed_chroma");
    if (!guided)
        return tl::unexpected(guided.error());
    for (const std::size_t feature : {*guide, *guided})
        if (predictor.features[feature].slope == 0)
            return fail(ErrorCode::corrupt_data, fmt::format("{}.slopes[{}] must not be 0, because the chroma "
                                                             "correction divides by it",
                                                             dict.path(), feature + 1));
    predictor.chroma_correction = ChromaCorrection{*parameter, *guide, *guided};
    return {};
}

Result<void> read_transform_and_clip(const JsonValue &dict, Predictor &predictor) {
    const Result<std::optional<JsonValue>> transform = dict.find("score_transform");
    if (!transform)
        return tl::unexpected(transform.error());
    if (*transform) {
        Result<ScoreTransform> read = read_score_transform(**transform);
        if (!read)
            return tl::unexpected(read.error());
        predictor.transform = *std::move(read);
    }
    const Result<std::optional<JsonValue>> clip = dict.find("score_clip");
    if (!clip || !*clip)
        return clip.map([](const auto &) {});
    const Result<std::vector<double>> limits = read_numbers(**clip);
    if (!limits)
        return tl::unexpected(limits.error());
    if (limits->size() != 2 || limits->front() > limits->back())
        return (*clip)->must_be("an array of a lower and an upper limit");
    predictor.clip = ScoreClip{limits->front(), limits->back()};
    return {};
}

Result<void> read_svr(const JsonValue &dict, Predictor &predictor) {
    const Result<JsonValue> model = dict.at("model");
    if (!model)
        return tl::unexpected(model.error());
    const Result<std::string_view> text = model->text();
    if (!text)
        return tl::unexpected(text.error());
    Result<Svr> svr = parse_svm_text(*text, predictor.features.size(), model->path());
    if (!svr)
        return tl::unexpected(svr.error());
    predictor.svr = *std::move(svr);
    return {};
}

} // namespace

Result<std::vector<double>> read_numbers(const JsonValue &array) {
    const Result<std::vector<JsonValue>> items = array.items();
    if (!items)
        return tl::unexpected(items.error());
    std::vector<double> numbers;
    for (const JsonValue &item : *items) {
        const Result<double> number = item.number();
        if (!number)
            return tl::unexpected(number.error());
        numbers.push_back(*number);
    }
    return numbers;
}

Result<ModelDescription> read_model_dict(const JsonValue &dict) {
    Result<std::string> type =
        read_choice(dict, "model_type", {"LIBSVMNUSVR", "BOOTSTRAP_LIBSVMNUSVR", "RESIDUEBOOTSTRAP_LIBSVMNUSVR"});
    if (!type)
        return tl::unexpected(type.error());
    Result<std::vector<ModelInput>> inputs = read_feature_names(dict);
    if (!inputs)
        return tl::unexpected(inputs.error());
    ModelDescription model{*std::move(type), *std::move(inputs), {}};
    Predictor &predictor = model.predictor;
    const Result<void> read = read_feature_options(dict, model.inputs)
                                  .and_then([&] { return read_rescaling(dict, model.inputs.size(), predictor); })
                                  .and_then([&] { return read_chroma_correction(dict, model.inputs, predictor); })
                                  .and_then([&] { return read_transform_and_clip(dict, predictor); })
                                  .and_then([&] { return read_svr(dict, predictor); });
    if (!read)
        return tl::unexpected(read.error());
    return model;
}

} // namespace isovmaf
