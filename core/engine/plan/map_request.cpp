// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "engine/plan/map_request.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "features/registry.hpp"

namespace isovmaf {

std::string map_folder(const FeatureDescriptor &feature, const OptionSet &options) {
    const auto spec = std::ranges::find(options.specs(), feature.maps_option, &OptionSpec::name);
    if (feature.maps_option.empty() || spec == options.specs().end())
        return "";
    return option_text(options.value(static_cast<std::size_t>(spec - options.specs().begin())));
}

Result<void> refuse_maps(const FeatureSet &features, std::string_view why) {
    for (const auto &[feature, option_sets] : features.entries())
        for (const OptionSet &options : option_sets)
            if (const std::string folder = map_folder(*feature, options); !folder.empty())
                return fail(ErrorCode::invalid_argument,
                            fmt::format("feature {} cannot write maps to {} ({}): {}", feature->name, quote(folder),
                                        feature->maps_option, why));
    return {};
}

ScoringOptions without_maps(ScoringOptions options) {
    for (FeatureRequest &request : options.features)
        if (const FeatureDescriptor *feature = find_feature(request.name))
            std::erase_if(request.options, [&](const auto &option) { return option.first == feature->maps_option; });
    return options;
}

} // namespace isovmaf
