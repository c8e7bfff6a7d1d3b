// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <fmt/format.h>

#include "base/try.hpp"
#include "model/model_dict.hpp"

namespace isovmaf {

namespace {

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
