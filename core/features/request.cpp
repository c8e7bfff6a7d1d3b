// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "isovmaf/request.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace isovmaf {

Result<FeatureRequest> FeatureRequest::parse(std::string_view text) {
    const auto wrong = [&](const std::string &why) {
        return fail(
            ErrorCode::invalid_argument,
            fmt::format("cannot read the feature request {}: {}; it is NAME[:OPTION=VALUE]...", quote(text), why));
    };
    const std::vector<std::string> items = split_items(text);
    if (items.front().empty())
        return wrong("it has no feature name");
    if (items.front().find('=') != std::string::npos)
        return wrong(fmt::format("it begins with {} instead of a feature name", quote(items.front())));

    FeatureRequest request{items.front(), {}};
    for (auto item = items.begin() + 1; item != items.end(); ++item) {
        const std::size_t equals = item->find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == item->size())
            return wrong(fmt::format("{} is no OPTION=VALUE", quote(*item)));
        request.options.emplace_back(item->substr(0, equals), item->substr(equals + 1));
    }
    return request;
}

} // namespace isovmaf
