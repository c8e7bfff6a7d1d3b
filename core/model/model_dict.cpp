// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/model_dict.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "features/option.hpp"
#include "model/svm_text.hpp"

namespace isovmaf {

namespace {

/// Names and option texts appear in reports and messages, so they have to be short and printable. libvmaf cuts at 255
/// characters.
bool is_plain(std::string_view text) {
    constexpr std::size_t longest = 255;
    return !text.empty() && text.size() <= longest &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

Result<std::string> read_choice(const JsonValue &dict, std::string_view key,
                                std::initializer_list<std::string_view> choices) {
    const JsonValue value = TRY(dict.at(key));
    const std::string_view text = TRY(value.text());
    if (std::ranges::find(choices, text) == choices.end())
        return value.must_be(fmt::format("{}", fmt::join(choices, " or ")));
    return std::string(text);
}

Result<std::vector<ModelInput>> read_feature_names(const JsonValue &dict) {
    const JsonValue names = TRY(dict.at("feature_names"));
    const std::vector<JsonValue> items = TRY(names.items());
    if (items.empty() || items.size() > max_model_features)
        return names.must_be(fmt::format("an array of 1 to {} names", max_model_features));
    std::vector<ModelInput> inputs;
    for (const JsonValue &item : items) {
        const std::string_view name = TRY(item.text());
        if (!is_plain(name))
            return item.must_be("a feature's name");
        inputs.push_back({std::string(name), {}});
    }
    return inputs;
}

/// The text of an option's value. A number is rounded to f32 and to six digits, as all option values are (scores.md
/// §3).
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
    const std::vector<JsonValue> items = TRY((*dicts)->items());
    if (items.size() != inputs.size())
        return (*dicts)->must_be(fmt::format("an array of {}, one entry for each feature", inputs.size()));
    for (std::size_t i = 0; i < inputs.size(); i++) {
        const auto options = TRY(items[i].members());
        for (const auto &[key, value] : options) {
            if (!is_plain(key))
                return fail(ErrorCode::corrupt_data, fmt::format("{} is no option's name", value.path()));
            std::string text = TRY(read_option(value));
            inputs[i].options.emplace_back(key, std::move(text));
        }
    }
    return {};
}

/// Reads an array of one number for the score and one for each feature.
Result<std::vector<double>> read_scales(const JsonValue &dict, std::string_view key, std::size_t features) {
    const JsonValue array = TRY(dict.at(key));
    Result<std::vector<double>> numbers = read_numbers(array);
    if (numbers && numbers->size() != features + 1)
        return array.must_be(
            fmt::format("an array of {}, one number for the score and one for each feature", features + 1));
    return numbers;
}

Result<void> read_rescaling(const JsonValue &dict, std::size_t features, Predictor &predictor) {
    const std::string type = TRY(read_choice(dict, "norm_type", {"linear_rescale", "none"}));
    predictor.features.resize(features);
    if (type == "none")
        return {};
    const std::vector<double> slopes = TRY(read_scales(dict, "slopes", features));
    const std::vector<double> intercepts = TRY(read_scales(dict, "intercepts", features));
    if (slopes.front() == 0)
        return fail(ErrorCode::corrupt_data,
                    fmt::format("{}.slopes[0] must not be 0, because scores are divided by it", dict.path()));
    predictor.score = {slopes.front(), intercepts.front()};
    for (std::size_t i = 0; i < features; i++)
        predictor.features[i] = {slopes[i + 1], intercepts[i + 1]};
    return {};
}

/// The index of the only input whose name contains `part`.
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
    const double parameter = TRY((*value)->number());
    if (parameter == 0)
        return {};
    const std::size_t guide = TRY(find_only_input(**value, inputs, "adm3"));
    const std::size_t guided = TRY(find_only_input(**value, inputs, "speed_chroma"));
    for (const std::size_t feature : {guide, guided})
        if (predictor.features[feature].slope == 0)
            return fail(ErrorCode::corrupt_data, fmt::format("{}.slopes[{}] must not be 0, because the chroma "
                                                             "correction divides by it",
                                                             dict.path(), feature + 1));
    predictor.chroma_correction = ChromaCorrection{parameter, guide, guided};
    return {};
}

Result<void> read_transform_and_clip(const JsonValue &dict, Predictor &predictor) {
    if (const std::optional<JsonValue> transform = TRY(dict.find("score_transform")))
        predictor.transform = TRY(read_score_transform(*transform));
    const Result<std::optional<JsonValue>> clip = dict.find("score_clip");
    if (!clip || !*clip)
        return clip.map([](const auto &) {});
    const std::vector<double> limits = TRY(read_numbers(**clip));
    if (limits.size() != 2 || limits.front() > limits.back())
        return (*clip)->must_be("an array of a lower and an upper limit");
    predictor.clip = ScoreClip{limits.front(), limits.back()};
    return {};
}

Result<void> read_svr(const JsonValue &dict, Predictor &predictor) {
    const JsonValue model = TRY(dict.at("model"));
    const std::string_view text = TRY(model.text());
    Svr svr = TRY(parse_svm_text(text, predictor.features.size(), model.path()));
    predictor.svr = std::move(svr);
    return {};
}

Result<void> read_coefficient(const JsonValue &object, std::string_view key, std::optional<double> &coefficient) {
    const Result<std::optional<JsonValue>> value = object.find(key);
    if (!value || !*value || (*value)->is_null())
        return value.map([](const auto &) {});
    if (!(*value)->is_number())
        return (*value)->must_be("a number or null");
    coefficient = *(*value)->number();
    return {};
}

/// Model files hold these two flags as strings. The string "true" sets a flag; every other string leaves it unset.
Result<void> read_text_flag(const JsonValue &object, std::string_view key, bool &flag) {
    const Result<std::optional<JsonValue>> value = object.find(key);
    if (!value || !*value)
        return value.map([](const auto &) {});
    return (*value)->text().map([&flag](std::string_view text) { flag = text == "true"; });
}

Result<void> read_enabled(const JsonValue &object, bool &enabled) {
    const Result<std::optional<JsonValue>> value = object.find("enabled");
    if (!value || !*value)
        return value.map([](const auto &) {});
    return (*value)->flag().map([&enabled](bool flag) { enabled = flag; });
}

Result<void> read_knots(const JsonValue &object, std::vector<Knot> &knots) {
    const Result<std::optional<JsonValue>> value = object.find("knots");
    if (!value || !*value || (*value)->is_null())
        return value.map([](const auto &) {});
    const std::vector<JsonValue> items = TRY((*value)->items());
    if (items.size() < 2 || items.size() > max_knots)
        return (*value)->must_be(fmt::format("null or an array of 2 to {} knots", max_knots));
    for (const JsonValue &item : items) {
        const std::vector<double> point = TRY(read_numbers(item));
        if (point.size() != 2)
            return item.must_be("an array [x, y]");
        const Knot knot{point.front(), point.back()};
        if (!knots.empty() && (knot.x <= knots.back().x || knot.y < knots.back().y))
            return fail(ErrorCode::corrupt_data,
                        fmt::format("{} is [{}, {}] after [{}, {}], but x has to rise and y must not fall", item.path(),
                                    knot.x, knot.y, knots.back().x, knots.back().y));
        knots.push_back(knot);
    }
    return {};
}

} // namespace

Result<std::vector<double>> read_numbers(const JsonValue &array) {
    const std::vector<JsonValue> items = TRY(array.items());
    std::vector<double> numbers;
    for (const JsonValue &item : items) {
        const double number = TRY(item.number());
        numbers.push_back(number);
    }
    return numbers;
}

Result<ModelDescription> read_model_dict(const JsonValue &dict) {
    std::string type =
        TRY(read_choice(dict, "model_type", {"LIBSVMNUSVR", "BOOTSTRAP_LIBSVMNUSVR", "RESIDUEBOOTSTRAP_LIBSVMNUSVR"}));
    std::vector<ModelInput> inputs = TRY(read_feature_names(dict));
    ModelDescription model{std::move(type), std::move(inputs), {}};
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

Result<ScoreTransform> read_score_transform(const JsonValue &value) {
    ScoreTransform transform;
    return read_enabled(value, transform.enabled)
        .and_then([&] { return read_coefficient(value, "p0", transform.p0); })
        .and_then([&] { return read_coefficient(value, "p1", transform.p1); })
        .and_then([&] { return read_coefficient(value, "p2", transform.p2); })
        .and_then([&] { return read_knots(value, transform.knots); })
        .and_then([&] { return read_text_flag(value, "out_lte_in", transform.out_lte_in); })
        .and_then([&] { return read_text_flag(value, "out_gte_in", transform.out_gte_in); })
        .map([&] { return std::move(transform); });
}

} // namespace isovmaf
