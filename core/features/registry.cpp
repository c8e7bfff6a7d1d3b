// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "features/registry.hpp"

#include <algorithm>
#include <array>

#include "features/feature_list.hpp" // generated from the list in meson.build

namespace isovmaf {

std::span<const FeatureDescriptor *const> all_features() { return feature_list; }

const FeatureDescriptor *find_feature(std::string_view name) {
    const auto found = std::ranges::find(feature_list, name, &FeatureDescriptor::name);
    return found == std::end(feature_list) ? nullptr : *found;
}

const FeatureDescriptor *find_feature_of_output(std::string_view base_name) {
    for (const FeatureDescriptor *feature : all_features())
        if (std::ranges::any_of(feature->outputs, [&](const OutputSpec &output) {
                return output.base_name == base_name || (!output.alias.empty() && output.alias == base_name);
            }))
            return feature;
    return nullptr;
}

} // namespace isovmaf
