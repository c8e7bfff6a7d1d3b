// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/request.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/try.hpp"

namespace isovmaf {

namespace {

class ModelRequestParser {
  public:
    explicit ModelRequestParser(std::string_view text) : text_(text) {}

    Result<ModelRequest> parse() {
        bool first = true;
        for (const std::string &item : split_items(text_)) {
            TRY(take_item(item, first));
            first = false;
        }
        return std::move(request_);
    }

  private:
    [[nodiscard]] tl::unexpected<Error> wrong(const std::string &why) const {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("cannot read the model request {}: {}; it is version=NAME or path=FILE, then any of "
                                ":name=NAME :enable_transform :disable_clip :FEATURE.OPTION=VALUE",
                                quote(text_), why));
    }

    Result<void> take_item(const std::string &item, bool first) {
        const std::size_t equals = item.find('=');
        const std::string key = item.substr(0, equals);
        if (equals != std::string::npos)
            return take(key, item.substr(equals + 1));
        if (key == "enable_transform" || key == "disable_clip")
            return take(key, "true");
        if (!first)
            return wrong(key.empty() ? "it has an empty part" : fmt::format("{} is not known", quote(key)));
        return take("version", key);
    }

    Result<void> take(const std::string &key, const std::string &value) {
        if (value.empty())
            return wrong(fmt::format("{} has no value", quote(key)));
        if (!seen_.insert(key).second)
            return wrong(fmt::format("{} is given twice", quote(key)));
        if (key == "enable_transform")
            return take_flag(key, value, request_.enable_transform);
        if (key == "disable_clip")
            return take_flag(key, value, request_.disable_clip);
        if (key.find('.') != std::string::npos)
            return take_feature_option(key, value);
        return take_text(key, value);
    }

    Result<void> take_text(const std::string &key, const std::string &value) {
        if (key == "name")
            request_.name = value;
        else if (key == "version")
            request_.version = value;
        else if (key == "path")
            request_.path = value;
        else
            return wrong(fmt::format("{} is not known", quote(key)));
        if (seen_.contains("version") && seen_.contains("path"))
            return wrong("it has both a version and a path");
        return {};
    }

    Result<void> take_flag(const std::string &key, const std::string &value, bool &flag) {
        if (value != "true" && value != "false")
            return wrong(fmt::format("{} takes true or false, not {}", key, quote(value)));
        flag = value == "true";
        return {};
    }

    Result<void> take_feature_option(const std::string &key, const std::string &value) {
        const std::size_t dot = key.find('.');
        const std::string feature = key.substr(0, dot);
        const std::string option = key.substr(dot + 1);
        if (feature.empty() || option.empty())
            return wrong(fmt::format("{} is no FEATURE.OPTION", quote(key)));
        auto found = std::ranges::find(request_.feature_options, feature, &FeatureRequest::name);
        if (found == request_.feature_options.end())
            found = request_.feature_options.insert(found, FeatureRequest{feature, {}});
        found->options.emplace_back(option, value);
        return {};
    }

    std::string_view text_;
    std::set<std::string> seen_;
    ModelRequest request_;
};

} // namespace

Result<ModelRequest> ModelRequest::parse(std::string_view text) { return ModelRequestParser(text).parse(); }

} // namespace isovmaf
