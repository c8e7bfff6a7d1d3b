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

/// Parses JSON text of any origin. Refuses, besides what is no JSON: repeated keys, nesting deeper than a model needs,
/// and more values than a model needs, so that the memory taken stays in proportion. `origin` begins the sentence of an
/// error ("cannot load model x.json").
[[nodiscard]] Result<nlohmann::json> parse_json(std::string_view text, const std::string &origin);

/// A value within a JSON document together with its place, which errors name: "cannot load model x.json:
/// model_dict.slopes[3] must be a number, but is null". Refers to the document, which has to outlive it.
class JsonValue {
  public:
    /// The whole document. `origin` begins the sentence of an error ("cannot load model x.json").
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

    /// For a value of the wrong type: "PATH must be WANTED, but is what it is".
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
