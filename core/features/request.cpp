// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/request.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "isovmaf/request.hpp"

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

namespace {

/// In the order of the enum's values.
constexpr std::array<std::string_view, 2> names{"libvmaf-3.2", "libvmaf-3.0"};

} // namespace

std::span<const std::string_view> all_semantics_names() { return names; }

std::string_view semantics_name(Semantics semantics) { return names[static_cast<std::size_t>(semantics)]; }

std::optional<Semantics> find_semantics(std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Semantics>(found - names.begin()));
}

} // namespace isovmaf
