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
    std::vector<std::string> items = split_items(text);
    const std::size_t end_of_name = items.front().find('=');
    FeatureRequest request{items.front().substr(0, end_of_name), {}};
    if (request.name.empty())
        return wrong("it has no feature name");
    if (end_of_name == std::string::npos)
        items.erase(items.begin());
    else // libvmaf's spelling: NAME=OPTION=VALUE
        items.front().erase(0, end_of_name + 1);
    for (const std::string &item : items) {
        const std::size_t equals = item.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == item.size())
            return wrong(fmt::format("{} is no OPTION=VALUE", quote(item)));
        request.options.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    }
    return request;
}

} // namespace isovmaf
