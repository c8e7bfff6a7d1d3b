// SPDX-License-Identifier: BSD-2-Clause-Patent
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_number.hpp"
#include "base/text.hpp"
#include "model/json_value.hpp"

namespace isovmaf {

namespace {

using nlohmann::json;

/// The models in use nest five deep and hold some two thousand values.
constexpr std::size_t max_depth = 32;
constexpr std::size_t max_values = 1'000'000;

/// Builds a document from the parser's events, and stops at the first event that breaks a rule.
class DocumentBuilder final : public nlohmann::json_sax<json> {
  public:
    explicit DocumentBuilder(std::size_t text_size) : text_size_(text_size) {}

    json &document() { return document_; }

    /// What is wrong with the text, as the end of a sentence that begins "ORIGIN: "; empty when nothing is wrong.
    [[nodiscard]] const std::string &problem() const { return problem_; }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t, const string_t &text) override {
        const std::optional<double> value = parse_double(json_number(text));
        return value ? add(*value) : refuse(fmt::format("the number {} is too small or too large", quote(text)));
    }
    bool string(string_t &value) override { return add(std::move(value)); }
    bool binary(binary_t &) override { return refuse("it holds binary data"); } // JSON text has no such values
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t &name) override {
        if (open_.back()->contains(name))
            return refuse(fmt::format("the key {} stands twice in one object", quote(name)));
        key_ = std::move(name);
        return true;
    }

    bool parse_error(std::size_t position, const std::string &token, const json::exception &error) override {
        constexpr int number_overflow = 406; // nlohmann::json's number for it
        if (error.id == number_overflow)
            return refuse(fmt::format("the number {} is too large", quote(token)));
        if (position > text_size_)
            return refuse("it is no JSON, or it is truncated: it ends in the middle");
        return refuse(fmt::format("it is no JSON: at byte {} stands {}", position, quote(token)));
    }

  private:
    bool refuse(std::string problem) {
        problem_ = std::move(problem);
        return false;
    }

    bool add(json value) { return place(std::move(value)) != nullptr; }

    /// Adds the value to the innermost open container and returns its place there; null when there are too many values.
    json *place(json value) {
        if (++values_ > max_values) {
            refuse(fmt::format("it holds more than {} values", max_values));
            return nullptr;
        }
        if (open_.empty())
            return &(document_ = std::move(value));
        json &container = *open_.back();
        if (container.is_array()) {
            container.push_back(std::move(value));
            return &container.back();
        }
        return &(container[key_] = std::move(value));
    }

    bool open(json container) {
        if (open_.size() == max_depth)
            return refuse(fmt::format("it nests deeper than {} levels", max_depth));
        json *placed = place(std::move(container));
        if (placed == nullptr)
            return false;
        open_.push_back(placed);
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    std::size_t text_size_;
    json document_;
    std::vector<json *> open_; ///< outermost first; pointers stay valid, as only the innermost container grows
    std::string key_;
    std::size_t values_ = 0;
    std::string problem_;
};

} // namespace

Result<json> parse_json(std::string_view text, const std::string &origin) {
    DocumentBuilder builder(text.size());
    if (!json::sax_parse(text.begin(), text.end(), &builder))
        return fail(ErrorCode::corrupt_data, fmt::format("{}: {}", origin, builder.problem()));
    return std::move(builder.document());
}

} // namespace isovmaf
