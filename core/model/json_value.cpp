// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/json_value.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/try.hpp"

namespace isovmaf {

namespace {

using nlohmann::json;

std::string describe(const json &value) {
    switch (value.type()) {
    case json::value_t::object:
        return "an object";
    case json::value_t::array:
        return fmt::format("an array of {}", value.size());
    case json::value_t::string:
        return quote(value.get_ref<const std::string &>());
    default:
        return value.dump(); // null, true, false or a number
    }
}

} // namespace

std::string JsonValue::path() const { return fmt::format("{}: {}", origin_, place_.empty() ? "the file" : place_); }

JsonValue JsonValue::member(const json &value, std::string_view key) const {
    // quote() gives the length of a key that is too long or not printable, and that length takes the key's place.
    const std::string quoted = quote(key);
    const std::string name = quoted.front() == '"' ? std::string(key) : quoted;
    return {value, origin_, place_.empty() ? name : fmt::format("{}.{}", place_, name)};
}

bool JsonValue::is_null() const { return value_->is_null(); }
bool JsonValue::is_number() const { return value_->is_number(); }

tl::unexpected<Error> JsonValue::must_be(std::string_view wanted) const {
    return fail(ErrorCode::corrupt_data, fmt::format("{} must be {}, but is {}", path(), wanted, describe(*value_)));
}

Result<double> JsonValue::number() const {
    if (!value_->is_number())
        return must_be("a number");
    return value_->get<double>();
}

Result<bool> JsonValue::flag() const {
    if (!value_->is_boolean())
        return must_be("true or false");
    return value_->get<bool>();
}

Result<std::string_view> JsonValue::text() const {
    if (!value_->is_string())
        return must_be("a string");
    return std::string_view(value_->get_ref<const std::string &>());
}

Result<std::vector<JsonValue>> JsonValue::items() const {
    if (!value_->is_array())
        return must_be("an array");
    std::vector<JsonValue> items;
    for (const json &item : *value_)
        items.push_back(JsonValue(item, origin_, fmt::format("{}[{}]", place_, items.size())));
    return items;
}

Result<std::vector<std::pair<std::string, JsonValue>>> JsonValue::members() const {
    if (!value_->is_object())
        return must_be("an object");
    std::vector<std::pair<std::string, JsonValue>> members;
    for (const auto &[key, value] : value_->items())
        members.emplace_back(key, member(value, key));
    return members;
}

Result<std::optional<JsonValue>> JsonValue::find(std::string_view key) const {
    if (!value_->is_object())
        return must_be("an object");
    const auto found = value_->find(key);
    if (found == value_->end())
        return std::nullopt;
    return member(*found, key);
}

Result<JsonValue> JsonValue::at(std::string_view key) const {
    std::optional<JsonValue> found = TRY(find(key));
    if (!found)
        return fail(ErrorCode::corrupt_data, fmt::format("{} lacks the key \"{}\"", path(), key));
    return *std::move(found);
}

} // namespace isovmaf
