// SPDX-License-Identifier: BSD-2-Clause-Patent
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "isovmaf/result.hpp"

namespace isovmaf {

/// Parses JSON text that nobody vouches for. Fails on text that is not JSON, on repeated keys, and on deeper nesting or
/// more values than a model needs, which bounds the memory that a small file can take. The message of an error begins
/// with `origin` ("cannot load model x.json").
[[nodiscard]] Result<nlohmann::json> parse_json(std::string_view text, const std::string &origin);

/// A value within a JSON document, and its place there. Errors name the place: "cannot load model x.json:
/// model_dict.slopes[3] must be a number, but is null". The document has to outlive the JsonValue.
class JsonValue {
  public:
    /// The whole document. The message of an error begins with `origin` ("cannot load model x.json").
    JsonValue(const nlohmann::json &document, std::string origin) : value_(&document), origin_(std::move(origin)) {}

    /// "cannot load model x.json: model_dict.slopes[3]", or "...: the file" for the whole document.
    [[nodiscard]] std::string path() const;

    [[nodiscard]] bool is_null() const;
    [[nodiscard]] bool is_number() const;

    [[nodiscard]] Result<double> number() const;
    [[nodiscard]] Result<bool> flag() const;
    [[nodiscard]] Result<std::string_view> text() const;
    [[nodiscard]] Result<std::vector<JsonValue>> items() const;

    /// Members of an object, in the order of their keys' bytes, with their keys.
    [[nodiscard]] Result<std::vector<std::pair<std::string, JsonValue>>> members() const;

    /// A member of an object; an error when it is missing.
    [[nodiscard]] Result<JsonValue> at(std::string_view key) const;

    /// A member of an object, or nothing.
    [[nodiscard]] Result<std::optional<JsonValue>> find(std::string_view key) const;

    /// The error for a value of the wrong type: "PATH must be WANTED, but is ..." and the value.
    [[nodiscard]] tl::unexpected<Error> must_be(std::string_view wanted) const;

  private:
    JsonValue(const nlohmann::json &value, std::string origin, std::string place)
        : value_(&value), origin_(std::move(origin)), place_(std::move(place)) {}

    [[nodiscard]] JsonValue member(const nlohmann::json &value, std::string_view key) const;

    const nlohmann::json *value_;
    std::string origin_;
    std::string place_; ///< empty for the whole document
};

} // namespace isovmaf
