// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/naming.hpp"

#include <algorithm>

#include "features/registry.hpp"

namespace isovmaf {

namespace {

constexpr std::size_t longest_name = 255;

} // namespace

std::string name_suffix(const OptionSet &options) {
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < options.specs().size(); i++)
        if (options.specs()[i].naming == Naming::in_name && !options.is_default(i))
            named.push_back(i);
    std::ranges::sort(named, {}, [&](std::size_t i) { return options.specs()[i].name; });

    std::string suffix;
    for (std::size_t i : named) {
        const OptionSpec &spec = options.specs()[i];
        suffix += '_';
        suffix += spec.alias.empty() ? spec.name : spec.alias;
        if (!std::holds_alternative<bool>(options.value(i)))
            suffix += '_' + option_text(options.value(i));
    }
    return suffix;
}

std::string stored_name(std::string_view base_name, std::string_view alias, const OptionSet &options) {
    const std::string suffix = name_suffix(options);
    if (suffix.empty())
        return std::string(base_name);
    std::string name(alias.empty() ? base_name : alias);
    name += suffix;
    name.resize(std::min(name.size(), longest_name));
    return name;
}

std::string report_name(std::string_view stored_name) {
    for (const FeatureDescriptor *feature : all_features())
        for (const OutputSpec &output : feature->outputs)
            if (output.base_name == stored_name && !output.alias.empty())
                return std::string(output.alias);
    return std::string(stored_name);
}

} // namespace isovmaf
