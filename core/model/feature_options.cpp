// SPDX-License-Identifier: BSD-2-Clause-Patent
#include "model/feature_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "features/registry.hpp"

namespace isovmaf {

namespace {

/// Whether the name of an input shows that it comes from a feature that this build does not have:
/// VMAF_integer_feature_vif_scale0_score comes from vif.
bool name_belongs(std::string_view base_name, std::string_view feature) {
    if (feature.empty())
        return false;
    constexpr std::string_view marker = "feature_";
    const std::size_t at = base_name.find(marker);
    return base_name.substr(at == std::string_view::npos ? 0 : at + marker.size()).starts_with(feature);
}

bool belongs(const ModelInput &input, std::string_view feature) {
    const FeatureDescriptor *source = find_feature_of_output(input.base_name);
    return source != nullptr ? source->name == feature : name_belongs(input.base_name, feature);
}

/// The option's name, also when `key` is its alias. `key` itself when the feature does not know it.
std::string_view full_name(const FeatureDescriptor *feature, std::string_view key) {
    if (feature != nullptr && !key.empty())
        for (const OptionSpec &spec : feature->options)
            if (spec.name == key || spec.alias == key)
                return spec.name;
    return key;
}

void overlay(OptionTexts &options, const FeatureDescriptor *feature, const OptionTexts &over) {
    for (const auto &[key, value] : over) {
        std::erase_if(options, [&, name = full_name(feature, key)](const auto &option) {
            return full_name(feature, option.first) == name;
        });
        options.emplace_back(key, value);
    }
}

} // namespace

bool overlay_unchecked(std::vector<ModelInput> &inputs, const FeatureRequest &request) {
    const FeatureDescriptor *feature = find_feature(request.name);
    bool used = false;
    for (ModelInput &input : inputs)
        if (belongs(input, request.name)) {
            overlay(input.options, feature, request.options);
            used = true;
        }
    return used;
}

Result<void> overlay_feature_options(std::vector<ModelInput> &inputs, std::span<const FeatureRequest> requests,
                                     const std::string &origin) {
    for (const FeatureRequest &request : requests) {
        const FeatureDescriptor *feature = find_feature(request.name);
        if (feature != nullptr)
            if (const auto known = OptionSet::parse(request.name, feature->options, request.options); !known)
                return fail(known.error().code, fmt::format("{}: {}", origin, known.error().message));
        if (!overlay_unchecked(inputs, request)) {
            std::vector<std::string_view> names;
            for (const ModelInput &input : inputs)
                names.push_back(input.base_name);
            return fail(ErrorCode::invalid_argument,
                        fmt::format("{}: options are given for feature {}, but the model reads only {}", origin,
                                    quote(request.name), fmt::join(names, ", ")));
        }
    }
    return {};
}

} // namespace isovmaf
